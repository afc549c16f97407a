/** The style sheet of the page at /api/docs. */
export const style = `
:root { color-scheme: light dark; --text: #1c1f23; --dim: #59616b; --back: #fff; --side: #f6f7f8; --line: #dfe3e7;
  --accent: #1f5fbf; --read: #1f6f43; --make: #1f5fbf; --change: #8a5a00; --remove: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7ea; --dim: #9aa4af; --back: #15181b; --side: #1b1f23;
  --line: #2e343a; --accent: #7fb0ff; --read: #6cc495; --make: #7fb0ff; --change: #e0b15a; --remove: #ff8f86; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: minmax(13rem, 19rem) minmax(0, 1fr); color: var(--text);
  background: var(--back); font: 15px/1.5 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; background: var(--side);
  border-right: 1px solid var(--line); font-size: 13px; }
nav h2 { margin: 1.2rem 0 .3rem; font-size: 12px; color: var(--dim); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .15rem .3rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { color: var(--accent); }
main { max-width: 62rem; padding: 1.5rem 2rem 6rem; outline: none; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
section > h2 { margin: 3rem 0 .2rem; font-size: 1.25rem; }
article { padding: 1rem 0; border-top: 1px solid var(--line); }
article:target { box-shadow: -4px 0 0 var(--accent); padding-left: 1rem; }
h3 { margin: 0 0 .3rem; font: 600 15px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { margin: .8rem 0 .2rem; font-size: 13px; color: var(--dim); font-weight: 600; }
p { margin: .3rem 0; }
a { color: var(--accent); }
a:focus-visible, pre:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
pre, code { font: 13px/1.5 ui-monospace, monospace; }
pre { margin: 0; padding: .6rem .8rem; overflow-x: auto; background: var(--side); border-radius: 4px; }
pre i, dd i { color: var(--dim); font-style: normal; }
dl { margin: .5rem 0; display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dd { margin: 0; }
small { color: var(--dim); }
.m { font: 600 12px/1 ui-monospace, monospace; display: inline-block; min-width: 3.6em; }
.get { color: var(--read); } .post { color: var(--make); } .patch, .put { color: var(--change); } .delete { color: var(--remove); }
details { margin-top: .6rem; font-size: 13px; color: var(--dim); }
summary { width: max-content; max-width: 100%; cursor: pointer; }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 1; padding: .5rem 1rem; background: var(--back); }
@media (max-width: 50rem) { body { grid-template-columns: minmax(0, 1fr); } nav { position: static; height: auto; max-height: 40vh;
  border-right: 0; border-bottom: 1px solid var(--line); } main { padding: 1rem; } }
`;
