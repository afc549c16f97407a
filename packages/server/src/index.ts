/**
 * server: the HTTP surface.
 *
 * Owns: routes and their shapes, the event stream, who may come in, and serving the dashboard's files. Does not own:
 * any rule about loops; it receives a Hub and passes faults on.
 */
export { type ApiParts, createApi } from "./api.ts";
export { openServer, type RunningServer, type ServerOptions } from "./open-server.ts";
