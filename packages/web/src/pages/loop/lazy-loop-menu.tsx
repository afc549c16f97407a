import Ellipsis from "lucide-react/icons/ellipsis";
import { type ComponentType, useEffect, useState } from "react";
import { IconButton } from "../../parts/button.tsx";
import type { LoopMenuProps } from "./loop-menu.tsx";

let Loaded: ComponentType<LoopMenuProps> | null = null;

/** The menu of a loop. What is in it comes after the page; its button stands there from the start. */
export function LoopMenu(props: LoopMenuProps) {
  const [Menu, setMenu] = useState(() => Loaded);
  const [pressed, setPressed] = useState(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried again by a press
  useEffect(() => {
    if (Loaded !== null) return setMenu(() => Loaded);
    import("./loop-menu.tsx").then(
      (code) => {
        Loaded = code.LoopMenu;
        setMenu(() => Loaded);
      },
      // The page says elsewhere that the server is gone.
      () => {},
    );
  }, [tries]);
  if (Menu !== null) return <Menu {...props} startsOpen={pressed} />;
  return (
    <IconButton
      name="More"
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => {
        setPressed(true);
        setTries(tries + 1);
      }}
    >
      <Ellipsis />
    </IconButton>
  );
}
