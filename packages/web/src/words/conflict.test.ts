import { expect, test } from "bun:test";
import { mendWords } from "./conflict.ts";

test("[R-GIT-5] the agent is told the branch and the files, and of very many only the first", () => {
  expect(mendWords("main", ["a.ts", "b.ts"])).toContain("conflicts with main in a.ts, b.ts. Merge main");
  const many = mendWords(
    "main",
    Array.from({ length: 25 }, (_, n) => `f${n}`),
  );
  expect(many).toContain("f19 and 5 more.");
  expect(many).not.toContain("f20");
});
