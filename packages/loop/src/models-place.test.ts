import { expect, test } from "bun:test";
import { homedir } from "node:os";
import { LoopImport, toLoop } from "@ralpher/contract";
import { openGround, openLab, said } from "../test/lab.ts";
import { modelsPlace } from "./models-place.ts";

test("no agent is started in a folder that no loop has worked on here, whatever an imported one says", async () => {
  await using ground = await openGround();
  await using lab = openLab({
    ...ground,
    async *play() {
      return said("<promise>COMPLETE</promise>");
    },
  });
  const place = () => modelsPlace(lab.journal, ground.repository);
  expect(await place()).toBe(homedir());
  const view = await lab.create(ground.repository);
  await lab.hub.importLoop(
    LoopImport.parse({ ...toLoop(view), state: { ...toLoop(view).state, status: "completed" } }),
  );
  expect(await place()).toBe(homedir());
  await lab.hub.dispatch({ type: "start", loopId: view.id });
  await lab.atRest(view.id);
  expect(await place()).toBe(ground.repository);
  expect(await modelsPlace(lab.journal, `${ground.repository}/`)).toBe(`${ground.repository}/`);
  expect(await modelsPlace(lab.journal, `${ground.repository}/inside`)).toBe(homedir());
});
