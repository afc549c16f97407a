import { agentConformance } from "../../conformance.ts";
import { makeSubject, opencode } from "./stage.fixture.ts";

agentConformance("acp (opencode)", opencode.dialect, makeSubject(opencode));
