import { ArrowRight, Square, Unplug } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FinderRow } from '../../ui/finder/Finder'
import { FinderDialog } from '../../ui/finder/FinderDialog'
import { matchNames } from '../../ui/finder/match'
import { connect } from '../actions'
import { type Editor, useEditor, useKindTexts } from '../context'
import { useFlowIndex } from '../finder/useFlowIndex'
import { handleId } from '../geometry'
import { iconOf } from '../kindFaces'
import { announce } from './announce'
import type { PortRef } from './flowActions'

interface PortDialogProps {
  /** if there are several, asks which one first */
  ports: readonly PortRef[]
  what: 'connect' | 'disconnect'
  onClose: () => void
}

/** Chooses a port and its target from searchable lists, without a mouse. */
export function PortDialog({ ports, what, onClose }: PortDialogProps) {
  const editor = useEditor()
  const { t } = useTranslation('builder')
  const [port, setPort] = useState<PortRef | null>(ports.length === 1 && what === 'connect' ? (ports[0] ?? null) : null)
  if (port) return <TargetList port={port} onClose={onClose} />
  return (
    <PortList
      ports={ports}
      label={t(`connect.${what === 'connect' ? 'whichPort' : 'whichEdge'}`)}
      goesOn={what === 'connect'}
      onChoose={(chosen) => {
        if (what === 'connect') return setPort(chosen)
        editor.document.commands.disconnect([chosen])
        announce(editor.store, t('announce.disconnected'))
      }}
      onClose={onClose}
    />
  )
}

interface PortListProps {
  ports: readonly PortRef[]
  label: string
  goesOn: boolean
  onChoose: (port: PortRef) => void
  onClose: () => void
}

function PortList({ ports, label, goesOn, onChoose, onClose }: PortListProps) {
  const editor = useEditor()
  const { t } = useTranslation('builder')
  const [search, setSearch] = useState('')
  const named = ports.map((port) => ({ port, name: portName(editor, port) ?? t('canvas.next') }))
  const found =
    search.trim() === ''
      ? named.map((item) => ({ item, ranges: [] }))
      : matchNames(named, search, ({ name }) => name, 100)
  const rows = found.map(({ item: { port, name }, ranges }): FinderRow => {
    const to = editor.document.projection().edges.get(handleId(port.blockId, port.portId))?.to.groupId
    const title = to === undefined ? undefined : editor.document.projection().groups.get(to)?.title
    return {
      key: port.portId,
      icon: goesOn ? <ArrowRight size={14} /> : <Unplug size={14} />,
      title: name,
      ranges,
      ...(title !== undefined && { detail: t('connect.leadsTo', { to: title || t('canvas.untitled') }) }),
      keepsOpen: goesOn,
      onChoose: () => onChoose(port),
    }
  })
  return (
    <FinderDialog
      label={label}
      placeholder={label}
      search={search}
      onSearch={setSearch}
      sections={[{ id: 'ports', title: t('connect.ports'), rows }]}
      empty={t('connect.none', { search })}
      onClose={onClose}
    />
  )
}

const SHOWN = 500

function TargetList({ port, onClose }: { port: PortRef; onClose: () => void }) {
  const editor = useEditor()
  const { document, registry, store } = editor
  const kinds = useKindTexts()
  const { t } = useTranslation('builder')
  const [search, setSearch] = useState('')
  const index = useFlowIndex()
  const { groups, blocks, edges } = document.projection()
  const lead = (groupId: string, blockId?: string) => () => {
    connect(editor, port, { groupId, ...(blockId !== undefined && { blockId }) })
    announce(store, t('announce.connected', { to: groups.get(groupId)?.title || t('canvas.untitled') }))
  }
  const canStart = (groupId: string) => {
    const first = blocks.get(groups.get(groupId)?.blockIds[0] ?? '')
    return !first || registry.find(first.kind)?.category !== 'trigger'
  }
  const groupRows = index
    .groups(search, SHOWN)
    .filter(({ group }) => canStart(group.id))
    .map(
      ({ group, ranges }): FinderRow => ({
        key: group.id,
        icon: <Square size={14} />,
        title: group.title || t('canvas.untitled'),
        ranges,
        onChoose: lead(group.id),
      }),
    )
  const blockRows = index
    .blocks(search, SHOWN)
    .filter(({ block }) => registry.find(block.kind)?.category !== 'trigger')
    .map(({ block, line, ranges }): FinderRow => {
      const Icon = iconOf(block.kind)
      const title = groups.get(block.groupId)?.title || t('canvas.untitled')
      return {
        key: block.id,
        icon: <Icon size={15} />,
        tint: registry.find(block.kind)?.category ?? 'other',
        title: line || kinds.title(block.kind),
        ranges: line ? ranges : [],
        detail: line ? `${kinds.title(block.kind)} · ${title}` : title,
        onChoose: lead(block.groupId, block.id),
      }
    })
  const sections = [
    { id: 'groups', title: t('finder.groups'), rows: groupRows },
    { id: 'blocks', title: t('finder.blocks'), rows: blockRows },
  ]
  const connected = edges.has(handleId(port.blockId, port.portId))
  const label = t('connect.whereTo', { port: portName(editor, port) ?? t('canvas.next') })
  const remove: FinderRow = {
    key: 'remove',
    icon: <Unplug size={14} />,
    title: t('canvas.removeEdge'),
    onChoose: () => {
      document.commands.disconnect([port])
      announce(store, t('announce.disconnected'))
    },
  }
  return (
    <FinderDialog
      label={label}
      placeholder={label}
      search={search}
      onSearch={setSearch}
      sections={[...sections, { id: 'edge', title: t('connect.edge'), rows: connected ? [remove] : [] }]}
      empty={t('connect.none', { search })}
      onClose={onClose}
    />
  )
}

/** A port's name; undefined for the plain "next". */
function portName({ document, registry }: Editor, { blockId, portId }: PortRef): string | undefined {
  const block = document.projection().blocks.get(blockId)
  return block && registry.portsOf(block).find(({ id }) => id === portId)?.label
}
