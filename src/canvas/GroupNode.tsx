import { Handle, type NodeProps, Position } from '@xyflow/react'
import { Plus } from 'lucide-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { BlockCard } from './BlockCard'
import { useBlockGrab } from './blockDrag'
import { useCanvasState, useEditor } from './context'
import type { GroupNode as GroupNodeType } from './elements'
import styles from './GroupNode.module.css'
import { GroupTitle } from './GroupTitle'
import { insertionY, targetId } from './geometry'
import { useSimplified } from './levelOfDetail'
import { MarkBadges, useMarks } from './MarkBadges'
import type { Mark } from './marks'

const changes = new Set<Mark['tone']>(['added', 'changed', 'removed', 'moved'])

/**
 * A group on the canvas: its title and its blocks. When zoomed out, the overview draws all groups; groups that are
 * rendered nevertheless (focus, gestures) take clicks and focus, but are invisible, so that they look like the others.
 */
export const GroupNode = memo(function GroupNode({ data: { group, layout }, selected }: NodeProps<GroupNodeType>) {
  const { t } = useTranslation('builder')
  const simplified = useSimplified()
  const { readOnly } = useEditor()
  const grab = useBlockGrab()
  const insertAt = useCanvasState(({ drag }) =>
    drag?.target && 'groupId' in drag.target && drag.target.groupId === group.id ? drag.target.index : null,
  )
  const change = useMarks('groups', group.id).find(({ tone }) => changes.has(tone))?.tone
  const active = useCanvasState(({ debug }) => debug?.active?.groupId === group.id)
  return (
    <div
      className={styles.group}
      data-group-id={group.id}
      data-selected={selected || undefined}
      data-active={active || undefined}
      data-target={insertAt !== null || undefined}
      data-change={simplified ? undefined : change}
      data-far={simplified || undefined}
    >
      <Handle
        type="target"
        position={Position.Left}
        id={targetId()}
        className={styles.target}
        isConnectableStart={false}
        aria-hidden
        tabIndex={-1}
      />
      {!simplified && (
        <>
          <GroupTitle groupId={group.id} title={group.title} />
          {layout.blocks.map((place, index) => (
            <BlockCard key={place.block.id} place={place} last={index === layout.blocks.length - 1} onGrab={grab} />
          ))}
          {layout.blocks.length === 0 && <p className={styles.empty}>{t('canvas.emptyGroup')}</p>}
          <MarkBadges of="groups" id={group.id} place="group" />
        </>
      )}
      {!simplified && !readOnly && <AddAtEnd groupId={group.id} title={group.title} count={layout.blocks.length} />}
      {insertAt !== null && <span className={styles.insertion} style={{ top: insertionY(layout, insertAt) }} />}
    </div>
  )
})

/** Opens the block search for the end of the group. The keyboard equivalent is the action `addBlock`. */
function AddAtEnd({ groupId, title, count }: { groupId: string; title: string; count: number }) {
  const { store } = useEditor()
  const { t } = useTranslation('builder')
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`${styles.add} nodrag nopan`}
      aria-label={t('canvas.addTo', { group: title || t('canvas.untitled') })}
      onClick={(event) => {
        event.stopPropagation()
        const { left, bottom } = event.currentTarget.getBoundingClientRect()
        store.setState({
          picker: { at: { x: left, y: bottom + 32 }, flow: null, from: null, into: { groupId, index: count } },
        })
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <Plus size={14} strokeWidth={2.2} aria-hidden />
    </button>
  )
}
