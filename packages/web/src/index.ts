/**
 * web: the dashboard, an instrument panel over the loops.
 *
 * Owns: what people see and press in a browser: the feed (snapshot, then events through the contract's fold), the words
 * for every state, the pages and their parts, and the build that turns them into files to serve.
 * Does not own: serving those files, the API, or any rule about loops: what may be done is decided by the server, and
 * the words of its faults are shown as they are.
 */
export {};
