import { agentConformance } from "../../conformance.ts";
import { claude, makeSubject } from "./stage.fixture.ts";

agentConformance("acp (claude)", claude.dialect, makeSubject(claude));
