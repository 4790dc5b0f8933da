import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor } from '../context'
import { useFlowIndex } from '../finder/useFlowIndex'
import { handleId } from '../geometry'
import type { Stop } from './order'
import { useWalk } from './useFocus'

const BEGINNING = 90

/** The accessible description of a stop: its position among the groups, its content, and where it leads. */
export function useDescribe(): (stop: Stop) => string {
  const { registry } = useEditor()
  const index = useFlowIndex()
  const walk = useWalk()
  const { t } = useTranslation('builder')
  return useCallback(
    ({ groupId, blockId, portId }) => {
      const { projection, order } = walk()
      const leads = (id: string, ports: readonly { id: string; label?: string }[]) =>
        ports.flatMap((port) => {
          const to = projection.edges.get(handleId(id, port.id))?.to
          const group = to && projection.groups.get(to.groupId)
          if (!group) return []
          const title = group.title || t('canvas.untitled')
          return [port.label ? t('describe.byPort', { port: port.label, to: title }) : title]
        })
      const portsOf = (id: string) => {
        const block = projection.blocks.get(id)
        return block ? registry.portsOf(block) : []
      }
      const to = (names: readonly string[]) =>
        names.length > 0 ? [t('describe.leadsTo', { to: [...new Set(names)].join(', ') })] : []
      if (blockId === undefined) {
        const ids = projection.groups.get(groupId)?.blockIds ?? []
        return [
          t('describe.place', { place: order.indexOf(groupId) + 1, of: order.length }),
          ...to(ids.flatMap((id) => leads(id, portsOf(id)))),
        ].join('. ')
      }
      if (portId !== undefined) return to(leads(blockId, [{ id: portId }])).join('')
      const block = projection.blocks.get(blockId)
      if (!block) return ''
      const text = index.textOf(block)
      const says = text.length > BEGINNING ? `${text.slice(0, BEGINNING)}…` : text
      return [...(says ? [says] : []), ...to(leads(blockId, portsOf(blockId)))].join('. ')
    },
    [registry, index, walk, t],
  )
}
