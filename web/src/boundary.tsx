import { Component, type ReactNode } from "react";

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
