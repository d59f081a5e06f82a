/** How long ago something was; the exact time is in its tooltip. */
import { formatAgo, formatExact } from "@/lib/format";
import { useNow } from "@/lib/use-now";

export function Ago({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={formatExact(at)}>
      {formatAgo(at, now)}
    </time>
  );
}
