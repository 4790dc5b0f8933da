import { useTranslation } from 'react-i18next'
import type { Sketch } from '../../server/contracts/templates'
import styles from './FlowPicture.module.css'

/** Margin around the flow, in px. */
const MARGIN = 40
/** Height of a group's header, as in server/modules/templates. */
const HEAD = 40

/**
 * A sketch of a flow: groups, blocks in their categories' colours, edges. Decorative: the information is beside it as
 * text.
 */
export function FlowPicture({ sketch }: { sketch: Sketch }) {
  return (
    <svg className={styles.picture} viewBox={viewBoxOf(sketch)} preserveAspectRatio="xMidYMid meet" aria-hidden="true">
      <Edges sketch={sketch} />
      {sketch.groups.map(({ id, x, y, width, height, blocks }) => (
        <g key={id} transform={`translate(${x} ${y})`}>
          <rect className={styles.group} width={width} height={height} rx={12} />
          <rect className={styles.title} x={16} y={14} width={width * 0.45} height={12} rx={6} />
          {blocks.map((block) => (
            <rect
              key={block.id}
              className={styles.block}
              data-category={block.category}
              x={10}
              y={block.y}
              width={width - 20}
              height={block.height}
              rx={8}
            />
          ))}
        </g>
      ))}
    </svg>
  )
}

/** A readable sketch with titles of groups and kinds. */
export function FlowPlan({ sketch }: { sketch: Sketch }) {
  const { t } = useTranslation('blocks')
  return (
    <svg
      className={styles.plan}
      viewBox={viewBoxOf(sketch)}
      style={{ width: (sketch.width + 2 * MARGIN) * SCALE, height: (sketch.height + 2 * MARGIN) * SCALE }}
      aria-hidden="true"
    >
      <Edges sketch={sketch} />
      {sketch.groups.map(({ id, title, x, y, width, height, blocks }) => (
        <g key={id} transform={`translate(${x} ${y})`}>
          <rect className={styles.group} width={width} height={height} rx={12} />
          <text className={styles.name} x={14} y={HEAD / 2}>
            {fitting(title, 22)}
          </text>
          {blocks.map((block) => (
            <g key={block.id}>
              <rect
                className={styles.block}
                data-category={block.category}
                x={10}
                y={block.y}
                width={width - 20}
                height={block.height}
                rx={8}
              />
              <text className={styles.kind} data-category={block.category} x={24} y={block.y + 28}>
                {fitting(t(`${block.kind}.title`), 24)}
              </text>
            </g>
          ))}
        </g>
      ))}
    </svg>
  )
}

const SCALE = 0.6

const viewBoxOf = ({ width, height }: Sketch): string =>
  `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`

const fitting = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

function Edges({ sketch }: { sketch: Sketch }) {
  return (
    <g className={styles.edges}>
      {sketch.edges.map(({ id, from, to }) => {
        const bend = Math.max(40, Math.abs(to.x - from.x) / 2)
        return (
          <path
            key={id}
            d={`M ${from.x} ${from.y} C ${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`}
          />
        )
      })}
    </g>
  )
}
