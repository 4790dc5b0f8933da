import { ViewportPortal } from '@xyflow/react'
import { useCanvasState } from './context'
import styles from './Sketch.module.css'

/** Temporary drawings of a gesture: guides, outlines of copies, the marquee, the group that a drop would create. */
export function Sketch() {
  const sketch = useCanvasState((state) => state.sketch)
  if (!sketch) return null
  const { guides = [], copies = [], marquee, drop } = sketch
  return (
    <ViewportPortal>
      <svg className={styles.sketch} aria-hidden="true" data-guides={guides.length || undefined}>
        {guides.map(({ kind, from, to }) => (
          <line
            key={`${kind} ${from.x} ${from.y} ${to.x} ${to.y}`}
            className={styles[kind]}
            x1={from.x}
            y1={from.y}
            x2={to.x}
            y2={to.y}
          />
        ))}
        {copies.map((box) => (
          <rect key={`${box.x} ${box.y}`} className={styles.copy} {...box} rx={10} />
        ))}
        {drop && <rect className={styles.drop} {...drop.box} rx={12} data-drop-preview />}
        {drop?.blocks.map((box) => (
          <rect key={box.y} className={styles.dropped} {...box} rx={8} />
        ))}
        {marquee && <rect className={styles.marquee} {...marquee} data-marquee />}
      </svg>
    </ViewportPortal>
  )
}
