type Kind = "github" | "gitlab" | "bitbucket" | "gitea";

/** Where people see a remote: `https://host/owner/name`, without anything secret. */
export interface RemotePage {
  /** Null when we do not know what runs there. */
  kind: Kind | null;
  host: string;
  /** `owner/name`, or deeper. */
  path: string;
  url: string;
}

/** The hosts' own addresses for ssh through a firewall. */
const aliases: Record<string, string> = {
  "ssh.github.com": "github.com",
  "altssh.gitlab.com": "gitlab.com",
  "altssh.bitbucket.org": "bitbucket.org",
};

/** The page of a remote's address in any of git's forms; null for a folder, or an address without owner and name. */
export function parseRemotePage(address: string): RemotePage | null {
  const found = parseUrl(address) ?? parseScp(address);
  if (found === null) return null;
  const path = found.path
    .replace(/^\/+|\/+$/g, "")
    .replace(/\.git$/, "")
    .split("/")
    .map(encodeURIComponent)
    .join("/");
  const host = aliases[found.host] ?? found.host;
  const url = `${found.scheme}://${host}${found.port}/${path}`;
  if (!path.includes("/") || !URL.canParse(url)) return null;
  return { kind: kindOf(host), host, path, url };
}

/** Where a human makes a pull request of a branch; null when we do not know how the host calls it. */
export function compareUrl(page: RemotePage | null, branch: string, target: string): string | null {
  if (page === null || page.kind === null) return null;
  const [from, into] = [branch, target].map((name) => name.split("/").map(encodeURIComponent).join("/"));
  const [fromValue, intoValue] = [branch, target].map(encodeURIComponent);
  switch (page.kind) {
    case "github":
      return `${page.url}/compare/${into}...${from}?expand=1`;
    case "gitea":
      return `${page.url}/compare/${into}...${from}`;
    case "gitlab": {
      const query = `merge_request%5Bsource_branch%5D=${fromValue}&merge_request%5Btarget_branch%5D=${intoValue}`;
      return `${page.url}/-/merge_requests/new?${query}`;
    }
    case "bitbucket":
      return `${page.url}/pull-requests/new?source=${fromValue}&dest=${intoValue}`;
  }
}

interface Place {
  scheme: string;
  host: string;
  /** Empty, or a colon and the number. */
  port: string;
  path: string;
}

function parseUrl(address: string): Place | null {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(address) || !URL.canParse(address)) return null;
  const { protocol, hostname: host, port, pathname } = new URL(address);
  if (host === "" || protocol === "file:") return null;
  const isWeb = protocol === "https:" || protocol === "http:";
  return {
    scheme: protocol === "http:" ? "http" : "https",
    host: host.toLowerCase(),
    // Only a web address says at which port the pages are.
    port: isWeb && port !== "" ? `:${port}` : "",
    path: decoded(pathname),
  };
}

/** `git@host:owner/name.git` */
function parseScp(address: string): Place | null {
  const [, host, path] = /^(?:[^@/\s]*@)?([^:@/\s]+):(?!\/\/)(.+)$/.exec(address) ?? [];
  if (host === undefined || path === undefined) return null;
  return { scheme: "https", host: host.toLowerCase(), port: "", path };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** By a word of the host's name: many run these programs on hosts of their own. */
function kindOf(host: string): Kind | null {
  if (host === "bitbucket.org") return "bitbucket";
  if (host === "codeberg.org") return "gitea";
  const words = host.split(/[.-]/);
  if (words.includes("github")) return "github";
  if (words.includes("gitlab")) return "gitlab";
  return words.includes("gitea") || words.includes("forgejo") ? "gitea" : null;
}
