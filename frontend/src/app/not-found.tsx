/** An address where nothing is. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { EmptyState } from "@/components/empty-state";
import classes from "./lonely-page.module.css";

export function NotFound() {
  return (
    <div className={classes["page"]}>
      <EmptyState
        title="Nothing is at this address"
        text="What was here may have been deleted, or the address has a slip in it."
        picture
      >
        <Button renderRoot={(props) => <Link to="/workflows" {...props} />}>Open the workflows</Button>
      </EmptyState>
    </div>
  );
}
