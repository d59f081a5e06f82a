/** The frame of pages that use the whole window and bring their own top bar. */
import { Outlet } from "@tanstack/react-router";
import { OfflineBanner } from "./offline-banner";

export function WideLayout() {
  return (
    <>
      <OfflineBanner />
      <Outlet />
    </>
  );
}
