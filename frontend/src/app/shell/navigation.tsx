/** The navigation at the left; on narrow windows only its icons. */
import { Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { sessionQuery } from "@/api/session";
import { Icon } from "@/components/icon";
import { Logo } from "@/components/logo";
import { useNarrow } from "@/lib/use-narrow";
import classes from "./navigation.module.css";
import { placesFor, type Place } from "./places";
import { UserMenu } from "./user-menu";

export function Navigation() {
  const { data: session } = useQuery(sessionQuery);
  const groups = placesFor({ isAdmin: session?.user?.is_admin ?? false });
  return (
    <nav className={classes["nav"]} aria-label="Main">
      <Link to="/workflows" className={classes["brand"]}>
        <Logo />
        <span className={classes["words"]}>
          <b>Heddle</b>
          <span className="hd-micro hd-muted hd-cut">{session?.workspaces[0]?.name}</span>
        </span>
      </Link>
      {groups.map((group) => (
        <div key={group.heading ?? "work"} className={classes["group"]}>
          {group.heading !== null && <h2 className={classes["heading"]}>{group.heading}</h2>}
          {group.places.map((place) => (
            <PlaceLink key={place.to} place={place} />
          ))}
        </div>
      ))}
      <span className="hd-grow" />
      {session?.user && <UserMenu user={session.user} />}
    </nav>
  );
}

function PlaceLink({ place }: { place: Place }) {
  const narrow = useNarrow();
  return (
    <Tooltip label={place.name} position="right" disabled={!narrow}>
      <Link to={place.to} className={classes["place"]} activeProps={{ className: classes["here"] ?? "" }}>
        <Icon name={place.icon} />
        <span className={classes["words"]}>{place.name}</span>
      </Link>
    </Tooltip>
  );
}
