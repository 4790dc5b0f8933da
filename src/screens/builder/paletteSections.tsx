import { Braces, Plus, Square, Workflow, Zap } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Action, isOffered, useActionList } from '../../canvas/actionRegistry'
import { addByClick } from '../../canvas/actions'
import { useView } from '../../canvas/adapter'
import { type KindTexts, useEditor, useKindTexts } from '../../canvas/context'
import type { FoundBlock, FoundGroup } from '../../canvas/finder/flowIndex'
import { useFlowIndex } from '../../canvas/finder/useFlowIndex'
import { metrics } from '../../canvas/geometry'
import { keyCaps } from '../../canvas/keyboard/chord'
import { iconOf } from '../../canvas/kindFaces'
import { scoreKind } from '../../canvas/rankKinds'
import { readRecent, rememberRecent } from '../../palette/recent'
import { searchSections, useAppRows } from '../../palette/useAppRows'
import type { FinderRow, FinderSection } from '../../ui/finder/Finder'
import { fold, matchNames, type NameMatch } from '../../ui/finder/match'
import { useBuilder } from './builderContext'
import { useOtherFlows } from './otherFlows'

/** The most matches shown. */
const SHOWN = 300

interface Scored extends FinderSection {
  best: number
}

/** The palette's rows for a search: recent choices and actions, or all matches, best section first. */
export function usePaletteSections(search: string): readonly FinderSection[] {
  const { chatbot } = useBuilder()
  const { t } = useTranslation('builder')
  const rows = useRows()
  const found = useFound()
  const everywhere = useAppRows()
  // the builder's own action replaces that one
  const app = useMemo(
    () =>
      everywhere.map((own) => ({ ...own, rows: own.rows.filter(({ key }) => key !== `app publish ${chatbot.gid}`) })),
    [everywhere, chatbot.gid],
  )
  const kinds = useKindTexts()
  const others = useOtherFlows(search.trim().length > 1)
  // choosing does not reorder the open list
  const recent = useRef<readonly string[]>(null)
  recent.current ??= readRecent(chatbot.gid)
  const wanted = search.trim()
  return useMemo(() => {
    const keep = (row: FinderRow): FinderRow => ({
      ...row,
      onChoose: () => {
        if (row.disabled) return
        rememberRecent(chatbot.gid, row.key)
        row.onChoose()
      },
    })
    const section = (id: string, scored: readonly { row: FinderRow; score: number }[]): Scored => ({
      id,
      title: t(`finder.${id}`),
      rows: scored.map(({ row }) => keep(row)),
      best: Math.max(0, ...scored.slice(0, 1).map(({ score }) => score)),
    })
    const scored = <Item,>(
      matches: readonly NameMatch<Item>[],
      rowOf: (item: Item, match: NameMatch<Item>) => FinderRow,
    ) => matches.map((match) => ({ row: rowOf(match.item, match), score: match.score }))
    const appRow = (key: string) => {
      const row = app.flatMap((own) => own.rows).find((one) => one.key === key)
      return row && { ...row, key: `recent ${key}` }
    }
    if (wanted === '') {
      const all = (list: readonly FinderRow[]) => list.map((row) => ({ row, score: 1 }))
      return [
        section('recent', all((recent.current ?? []).flatMap((key) => rows.byKey(key) ?? appRow(key) ?? []))),
        section('actions', all(buildingFirst(found.actions).map((action) => rows.action(action)))),
        section('kinds', all(found.kinds.map((kind) => rows.kind(kind)))),
        section('flows', all(found.flows.map((flow) => rows.flow(flow)))),
        section('variables', all(found.variables.map((variable) => rows.variable(variable)))),
        ...app.map((own) => ({ ...own, rows: own.rows.map(keep) })),
      ]
    }
    const inOthers = others.flatMap(({ flow, index }) => [
      ...index.groups(wanted, SHOWN).map((one) => ({ row: rows.group(one, flow), score: one.score })),
      ...index.blocks(wanted, SHOWN).map((one) => ({ row: rows.block(one, flow), score: one.score })),
    ])
    return [
      section(
        'actions',
        scored(matchNames(found.actions, wanted, rows.actionTitle, SHOWN), (action, { ranges }) =>
          rows.action(action, ranges),
        ),
      ),
      section(
        'waiting',
        scored(matchNames(found.waiting, wanted, rows.actionTitle, SHOWN), (action, { ranges }) =>
          rows.waiting(action, ranges),
        ),
      ),
      section(
        'kinds',
        foundKinds(found.kinds, wanted, rows.kindTitle, kinds).map(({ item, ranges, score }) => ({
          row: rows.kind(item, ranges),
          score,
        })),
      ),
      section(
        'groups',
        found.index.groups(wanted, SHOWN).map((one) => ({ row: rows.group(one), score: one.score })),
      ),
      section(
        'blocks',
        found.index.blocks(wanted, SHOWN).map((one) => ({ row: rows.block(one), score: one.score })),
      ),
      section(
        'variables',
        scored(
          matchNames(found.variables, wanted, ({ name }) => name, SHOWN),
          (variable, { ranges }) => rows.variable(variable, ranges),
        ),
      ),
      section(
        'flows',
        scored(
          matchNames(found.flows, wanted, ({ title }) => title, SHOWN),
          (flow, { ranges }) => rows.flow(flow, ranges),
        ),
      ),
      ...searchSections(app, wanted).map((own) => ({ ...own, rows: own.rows.map(keep) })),
      section('others', inOthers.sort((a, b) => b.score - a.score).slice(0, SHOWN)),
    ].sort((a, b) => Number(a.id === 'waiting') - Number(b.id === 'waiting') || b.best - a.best)
  }, [wanted, rows, found, others, app, kinds, chatbot.gid, t])
}

/** Kinds by title, and by their synonyms. */
function foundKinds(
  all: readonly string[],
  wanted: string,
  title: (kind: string) => string,
  texts: KindTexts,
): NameMatch<string>[] {
  const named = new Map(matchNames(all, wanted, title, SHOWN).map((match) => [match.item, match]))
  return all
    .map((item): NameMatch<string> => {
      const { score = 0, ranges = [] } = named.get(item) ?? {}
      return { item, ranges, score: Math.max(score, scoreKind(item, fold(wanted), texts)) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
}

/** Actions for building, testing and publishing before those that move the view, for an empty search. */
const buildingFirst = (actions: readonly Action[]): Action[] => [
  ...actions.filter(({ section }) => section === 'flow'),
  ...actions.filter(({ section }) => section !== 'flow'),
]

/** Everything that can be found, as of the moment the palette was opened. */
function useFound() {
  const { document, registry, readOnly } = useEditor()
  const { flows, fid } = useBuilder()
  const index = useFlowIndex()
  const offered = useActionList()
  return useMemo(
    () => ({
      actions: offered.filter((action) => action.id !== 'commandPalette' && isOffered(action, readOnly)),
      waiting: offered.filter((action) => action.needs && !isOffered(action, readOnly) && !(action.writes && readOnly)),
      kinds: readOnly ? [] : registry.kinds.filter(({ inPalette }) => inPalette).map(({ kind }) => kind),
      flows: flows.filter(({ gid }) => gid !== fid),
      variables: document.projection().variables,
      index,
    }),
    [document, registry, readOnly, flows, fid, index, offered],
  )
}

type Ranges = NonNullable<FinderRow['ranges']>
interface NamedFlow {
  gid: string
  title: string
}

/** How each item is shown, and what choosing it does. */
function useRows() {
  const editor = useEditor()
  const { document, registry, store } = editor
  const { fid, flows, showPlace, openFlow, openPanel } = useBuilder()
  const view = useView()
  const kinds = useKindTexts()
  const offered = useActionList()
  const { t } = useTranslation('builder')
  return useMemo(() => {
    const actionTitle = (action: Action) => t(`actions.${action.id}`)
    const kindTitle = (kind: string) => t('finder.add', { kind: kinds.title(kind) })
    const go = (groupId: string, blockId: string | undefined, flow?: NamedFlow) => () => {
      showPlace({ flowId: flow?.gid ?? fid, groupId, blockId })
      if (!flow) store.setState({ focused: { groupId, blockId } })
    }
    const rows = {
      actionTitle,
      kindTitle,
      action(action: Action, ranges: Ranges = []): FinderRow {
        const Icon = action.icon ?? Zap
        const chord = action.keys?.[0]
        return {
          key: `action ${action.id}`,
          icon: <Icon size={15} />,
          title: actionTitle(action),
          ranges,
          ...(chord !== undefined && { keys: keyCaps(chord) }),
          onChoose: action.run,
        }
      },
      /** an unavailable action, with the reason */
      waiting: (action: Action, ranges: Ranges): FinderRow => ({
        ...rows.action(action, ranges),
        detail: action.needs && t(`needs.${action.needs}`),
        disabled: true,
        keepsOpen: true,
      }),
      kind(kind: string, ranges: Ranges = []): FinderRow {
        return {
          key: `kind ${kind}`,
          icon: <Plus size={15} />,
          tint: registry.find(kind)?.category ?? 'other',
          title: kindTitle(kind),
          ranges,
          onChoose: () => {
            const centre = view.centre()
            addByClick(editor, kind, kinds.title(kind), { x: centre.x - metrics.width / 2, y: centre.y - 60 })
          },
        }
      },
      group({ group, ranges }: Omit<FoundGroup, 'score'>, flow?: NamedFlow): FinderRow {
        return {
          key: `group ${group.id}`,
          icon: <Square size={14} />,
          title: group.title || t('canvas.untitled'),
          ranges,
          detail: flow?.title ?? t('panel.blocks', { count: group.blockIds.length }),
          onChoose: go(group.id, undefined, flow),
        }
      },
      block({ block, line, ranges, group }: Omit<FoundBlock, 'score'>, flow?: NamedFlow): FinderRow {
        const Icon = iconOf(block.kind)
        const place = flow?.title ?? (group.title || t('canvas.untitled'))
        return {
          key: `block ${block.id}`,
          icon: <Icon size={15} />,
          tint: registry.find(block.kind)?.category ?? 'other',
          title: line || kinds.title(block.kind),
          ranges: line ? ranges : [],
          detail: line ? `${kinds.title(block.kind)} · ${place}` : place,
          onChoose: go(block.groupId, block.id, flow),
        }
      },
      variable({ id, name }: { id: string; name: string }, ranges: Ranges = []): FinderRow {
        return {
          key: `variable ${id}`,
          icon: <Braces size={14} />,
          title: name,
          ranges,
          onChoose: () => openPanel('variables'),
        }
      },
      flow({ gid, title }: NamedFlow, ranges: Ranges = []): FinderRow {
        return { key: `flow ${gid}`, icon: <Workflow size={14} />, title, ranges, onChoose: () => openFlow(gid) }
      },
      /** a recent choice, if it still exists */
      byKey(key: string): FinderRow | null {
        const at = key.indexOf(' ')
        const id = key.slice(at + 1)
        const { groups, blocks, variables } = document.projection()
        const recent = (row: FinderRow) => ({ ...row, key: `recent ${key}` })
        const find: Record<string, () => FinderRow | undefined> = {
          action: () => {
            const action = offered.find((one) => one.id === id && isOffered(one, editor.readOnly))
            return action && rows.action(action)
          },
          kind: () => (registry.find(id) && !editor.readOnly ? rows.kind(id) : undefined),
          group: () => {
            const group = groups.get(id)
            return group && rows.group({ group, ranges: [] })
          },
          block: () => {
            const block = blocks.get(id)
            const group = groups.get(block?.groupId ?? '')
            return block && group && rows.block({ block, group, line: '', ranges: [] })
          },
          variable: () => {
            const variable = variables.find((one) => one.id === id)
            return variable && rows.variable(variable)
          },
          flow: () => {
            const flow = flows.find(({ gid }) => gid === id && gid !== fid)
            return flow && rows.flow(flow)
          },
        }
        const found = find[key.slice(0, at)]?.()
        return found ? recent(found) : null
      },
    }
    return rows
  }, [editor, document, registry, store, fid, flows, showPlace, openFlow, openPanel, view, kinds, offered, t])
}
