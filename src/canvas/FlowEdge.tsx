import { BaseEdge, type ConnectionLineComponentProps, type EdgeProps } from '@xyflow/react'
import { memo } from 'react'
import { useCanvasState, useEditor } from './context'
import { EdgeButtons } from './EdgeButtons'
import type { FlowEdge as FlowEdgeType, GroupNode } from './elements'
import styles from './FlowEdge.module.css'
import { EdgeBadges, useMarks } from './MarkBadges'
import { middleOf, pathOf } from './routing/line'
import type { Route } from './routing/route'

/** An edge from a port to a group, routed around other groups. */
export const FlowEdge = memo(function FlowEdge({ id, selected, data }: EdgeProps<FlowEdgeType>) {
  const hovered = useCanvasState((state) => state.hoveredEdge === id)
  const { readOnly } = useEditor()
  const route = data?.route ?? NOWHERE
  const path = pathOf(route)
  const { x, y } = middleOf(route)
  const marks = useMarks('edges', id)
  const heat = marks.find(({ tone }) => tone === 'heat')
  const look = selected || hovered ? 'near' : data?.visited ? 'visited' : 'calm'
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        interactionWidth={18}
        markerEnd={`url(#parley-arrow-${look})`}
        className={styles.edge}
        data-look={look}
        style={heat && heatStyle(heat.strength ?? 0)}
      />
      <EdgeBadges
        marks={marks.filter(({ tone, text }) => tone !== 'heat' || text)}
        x={x}
        y={hovered || selected ? y - 26 : y}
      />
      {data?.visited && <path d={path} className={styles.pulse} aria-hidden />}
      {(hovered || selected) && !readOnly && data && <EdgeButtons edge={data.view} x={x} y={y} />}
    </>
  )
})

const heatStyle = (strength: number) => ({
  stroke: `color-mix(in srgb, var(--p-orange) ${Math.round(30 + 70 * strength)}%, var(--p-canvas))`,
  strokeWidth: 1.6 + 7 * strength,
})

const NOWHERE: Route = []

/** The edge being drawn: a curve to the pointer without loops. */
export function DrawnEdge({ fromX, fromY, toX, toY }: ConnectionLineComponentProps<GroupNode>) {
  const bend = Math.min(80, Math.hypot(toX - fromX, toY - fromY) / 2)
  const arrive = toX > fromX ? bend : 0
  return (
    <path
      className={styles.drawn}
      d={`M${fromX},${fromY} C${fromX + bend},${fromY} ${toX - arrive},${toY} ${toX},${toY}`}
      markerEnd="url(#parley-arrow-near)"
    />
  )
}

/** The arrowheads, once per page: a marker can't inherit its edge's colour in all browsers. */
export function EdgeArrows() {
  return (
    <svg className={styles.defs} aria-hidden="true">
      <defs>
        {['calm', 'near', 'visited'].map((look) => (
          <marker
            key={look}
            id={`parley-arrow-${look}`}
            className={styles.arrow}
            data-look={look}
            viewBox="0 0 10 10"
            markerWidth="9"
            markerHeight="9"
            markerUnits="userSpaceOnUse"
            refX="8"
            refY="5"
            orient="auto"
          >
            <path d="M1.5 1.2 8.5 5 1.5 8.8Z" />
          </marker>
        ))}
      </defs>
    </svg>
  )
}
