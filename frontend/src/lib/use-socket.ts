/** A live connection for as long as a component is on the screen. */
import { useEffect, useEffectEvent, useState } from "react";
import { openSocket, type SocketState } from "./socket";

export function useSocket(path: string | null, onFrame: (frame: unknown) => void): SocketState {
  const [state, setState] = useState<SocketState>("connecting");
  const receive = useEffectEvent(onFrame);
  useEffect(() => {
    if (path === null) return undefined;
    const socket = openSocket({ path, onFrame: (frame) => receive(frame), onState: setState });
    return () => socket.close();
  }, [path]);
  return state;
}
