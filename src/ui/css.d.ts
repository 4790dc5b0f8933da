import 'react'

/** Our own custom properties may stand in a style. */
declare module 'react' {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined
  }
}
