/** What jsdom lacks and every component test needs. */
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, vi } from "vitest";

// A page is loaded in parts, and the first one may take long on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

afterEach(cleanup);

class NoObserver {
  observe(): void {
    // jsdom draws nothing, so nothing ever changes its size.
  }
  unobserve(): void {
    // See observe.
  }
  disconnect(): void {
    // See observe.
  }
}

vi.stubGlobal("ResizeObserver", NoObserver);

Object.defineProperty(window, "matchMedia", {
  writable: true,
  value: (query: string) => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  }),
});

Element.prototype.scrollIntoView = () => undefined;
