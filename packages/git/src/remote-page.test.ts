import { expect, test } from "bun:test";
import { compareUrl, parseRemotePage } from "./remote-page.ts";

const compare = (address: string, branch = "ralph/a b#1", target = "main") =>
  compareUrl(parseRemotePage(address), branch, target);

test("the compare page is found for every form of a remote's address", () => {
  const wanted = "https://github.com/ada/engine/compare/main...ralph/a%20b%231?expand=1";
  for (const address of [
    "git@github.com:ada/engine.git",
    "github.com:ada/engine",
    "git@github.com:/ada/engine.git/",
    "ssh://git@github.com/ada/engine.git",
    "ssh://git@ssh.github.com:443/ada/engine.git",
    "https://github.com/ada/engine.git",
    "https://GitHub.com/ada/engine/",
    "git://github.com/ada/engine.git",
  ]) {
    expect([address, compare(address)]).toEqual([address, wanted]);
  }
});

test("each kind of host has its own page", () => {
  const branch = "ralph%2Fa%20b%231";
  expect(compare("git@gitlab.com:group/sub/engine.git")).toBe(
    `https://gitlab.com/group/sub/engine/-/merge_requests/new?merge_request%5Bsource_branch%5D=${branch}&merge_request%5Btarget_branch%5D=main`,
  );
  expect(compare("git@bitbucket.org:ada/engine.git")).toBe(
    `https://bitbucket.org/ada/engine/pull-requests/new?source=${branch}&dest=main`,
  );
  for (const host of ["codeberg.org", "gitea.example.org", "forgejo.example.org"]) {
    expect(compare(`ssh://git@${host}:2222/ada/engine.git`)).toBe(
      `https://${host}/ada/engine/compare/main...ralph/a%20b%231`,
    );
  }
  expect(compare("http://gitea.local:3000/ada/engine")).toStartWith("http://gitea.local:3000/ada/engine/compare/");
  expect(compare("git@github.corp.example:ada/engine.git")).toStartWith("https://github.corp.example/ada/engine/");
});

test("no name, password or token of an address is in its page", () => {
  for (const secret of ["user:hunter2", "x-access-token:hunter2", "hunter2", "user:hunter2%40x"]) {
    const page = compare(`https://${secret}@github.com/ada/engine.git?token=hunter2#hunter2`);
    expect(page).toStartWith("https://github.com/ada/engine/compare/");
    expect(page).not.toContain("hunter2");
  }
});

test("a folder, an unknown host and nonsense have no page", () => {
  for (const address of [
    "/srv/git/engine.git",
    "../engine",
    "file:///srv/git/github/engine.git",
    "https://example.org/ada/engine.git",
    "git@github.com:engine.git",
    "https://github.com",
    "",
    "C:\\engine",
    "ext::sh -c whoami",
  ]) {
    expect([address, compare(address)]).toEqual([address, null]);
  }
});
