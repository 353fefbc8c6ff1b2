import { Component, Suspense, type ReactNode } from "react";

interface Props {
  /** What is shown instead. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Keeps an error of one part from taking the page with it. */
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}

/** A part whose script is loaded when it is needed; it may be that the server cannot be reached then. */
export function Later({ children }: { children: ReactNode }) {
  return (
    <Boundary fallback={<p className="notice">This part could not be loaded. Reload the page.</p>}>
      <Suspense>{children}</Suspense>
    </Boundary>
  );
}
