import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { BlockView } from '../../../engine/document/commands'
import type { Json } from '../../../engine/values/json'
import { moveBlocks, moveBlocksOut, placeFor } from '../../canvas/actions'
import { useView } from '../../canvas/adapter'
import { arrangeActions } from '../../canvas/arrangeActions'
import { select } from '../../canvas/canvasStore'
import { useCanvasState, useEditor, useGroupTitles, useKindTexts, useProjection } from '../../canvas/context'
import { announce } from '../../canvas/keyboard/announce'
import { keyCaps } from '../../canvas/keyboard/chord'
import { iconOf } from '../../canvas/kindFaces'
import { sceneOf } from '../../canvas/scene'
import { SharedForm } from '../../text/form/SharedForm'
import { IconButton } from '../../ui/IconButton'
import { KeyHint } from '../../ui/KeyHint'
import { Select } from '../../ui/Select'
import inspector from './Inspector.module.css'
import { InspectorHeader } from './InspectorHeader'
import styles from './SeveralSettings.module.css'

/** Common settings of several selected blocks or groups, and actions on all of them: each is one undo step. */
export function SeveralSettings() {
  const { t } = useTranslation('builder')
  const selection = useCanvasState((state) => state.selection)
  const projection = useProjection((whole) => whole)
  const groups = [...selection.groups].filter((id) => projection.groups.has(id))
  const { kinds, single } = useMemo(() => {
    const viewsOf = (ids: Iterable<string>) => [...ids].flatMap((id) => projection.blocks.get(id) ?? [])
    const inside = viewsOf([...selection.groups].flatMap((id) => projection.groups.get(id)?.blockIds ?? []))
    const chosen = viewsOf(selection.blocks)
    return { kinds: byKind([...new Set([...chosen, ...inside])]), single: chosen }
  }, [selection, projection])
  const [kind, ...others] = kinds.keys()
  const same = groups.length === 0 && others.length === 0 ? kind : undefined
  const parts = [
    groups.length > 0 ? t('several.groups', { count: groups.length }) : '',
    single.length > 0 ? t('several.blocks', { count: single.length }) : '',
  ]
  return (
    <>
      <InspectorHeader
        title={t('several.title', { count: groups.length + single.length })}
        help={parts.filter((part) => part !== '').join(' · ')}
      />
      <div className={inspector.body}>
        <Kinds kinds={kinds} />
        {groups.length > 1 && <Arrange />}
        {single.length > 0 && <MoveToGroup blocks={single} />}
        {same !== undefined ? (
          <Settings key={same} kind={same} blocks={single} />
        ) : (
          kinds.size > 0 && <p className={styles.note}>{t('several.sameKind')}</p>
        )}
        <GoTo groups={groups} blocks={single} />
      </div>
    </>
  )
}

function byKind(blocks: readonly BlockView[]): ReadonlyMap<string, BlockView[]> {
  const kinds = new Map<string, BlockView[]>()
  for (const block of blocks) {
    const of = kinds.get(block.kind)
    if (of) of.push(block)
    else kinds.set(block.kind, [block])
  }
  return kinds
}

/** The number of blocks per kind; a click selects only those, whose settings can then be changed. */
function Kinds({ kinds }: { kinds: ReadonlyMap<string, BlockView[]> }) {
  const { store, registry } = useEditor()
  const { t } = useTranslation('builder')
  const texts = useKindTexts()
  if (kinds.size === 0) return null
  return (
    <ul className={styles.kinds} aria-label={t('several.kinds')}>
      {[...kinds].map(([kind, blocks]) => {
        const Icon = iconOf(kind)
        const title = registry.find(kind) ? texts.title(kind) : t('unknown.face', { kind })
        return (
          <li key={kind}>
            <button
              type="button"
              className={styles.kind}
              aria-label={t('several.narrow', { count: blocks.length, kind: title })}
              onClick={() => select(store, { blocks: blocks.map(({ id }) => id) })}
            >
              <Icon size={14} aria-hidden />
              <span>{title}</span>
              <strong>{blocks.length}</strong>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function Arrange() {
  const editor = useEditor()
  const { t } = useTranslation('builder')
  // whether there are enough of them
  useCanvasState((state) => state.selection)
  const actions = useMemo(() => arrangeActions(editor), [editor])
  return (
    <section className={styles.part} aria-label={t('several.arrange')}>
      <h3>{t('several.arrange')}</h3>
      <div className={styles.arrange}>
        {actions.map(({ id, icon: Icon, keys, enabled, run }) => (
          <IconButton
            key={id}
            size="s"
            label={t(`actions.${id}`)}
            keys={keys?.[0] && <KeyHint keys={keyCaps(keys[0])} />}
            icon={Icon && <Icon size={15} />}
            disabled={editor.readOnly || enabled?.() === false}
            onClick={run}
          />
        ))}
      </div>
    </section>
  )
}

/** An id that no group can have: ids contain no colon. */
const NEW = ':new'

function MoveToGroup({ blocks }: { blocks: readonly BlockView[] }) {
  const editor = useEditor()
  const view = useView()
  const { t } = useTranslation('builder')
  const groups = useGroupTitles()
  const move = (target: string) => {
    const { document, store } = editor
    const ids = blocks.map(({ id }) => id)
    const groupId =
      target === NEW
        ? moveBlocksOut(editor, ids, t('canvas.newGroup'), placeFor(editor, view.centre(), blocks))
        : target
    if (target !== NEW) {
      const end = document.projection().groups.get(groupId)?.blockIds.length ?? 0
      moveBlocks(editor, ids, groupId, end)
    }
    view.revealGroups([groupId], 'framed')
    const title = document.projection().groups.get(groupId)?.title || t('canvas.untitled')
    announce(store, t('announce.movedBlocks', { count: ids.length, group: title }))
  }
  return (
    <section className={styles.part} aria-label={t('several.moveTo')}>
      <h3 id="several-move">{t('several.moveTo')}</h3>
      <Select
        aria-labelledby="several-move"
        data={[
          { value: NEW, label: t('several.newGroup') },
          ...groups.map(({ id, title }) => ({ value: id, label: title || t('canvas.untitled') })),
        ]}
        value={null}
        placeholder={t('several.choose')}
        nothingFoundMessage={t('several.noGroup')}
        searchable
        limit={50}
        disabled={editor.readOnly}
        onChange={(target) => target !== null && move(target)}
      />
    </section>
  )
}

function Settings({ kind, blocks }: { kind: string; blocks: readonly BlockView[] }) {
  const { document, registry, readOnly } = useEditor()
  const { t } = useTranslation('builder')
  const all = useMemo(() => blocks.map(({ data }) => data), [blocks])
  const definition = registry.find(kind)
  if (!definition) return <p className={styles.note}>{t('unknown.note', { kind })}</p>
  const setData = (patch: Record<string, Json>) =>
    document.commands.batch(() => {
      for (const { id } of blocks) {
        const present = document.projection().blocks.get(id)
        if (present) document.commands.setBlockData(id, { ...present.data, ...patch })
      }
    })
  return (
    <section aria-label={t('several.settings')}>
      <SharedForm
        definition={definition}
        all={all}
        empty={<p className={styles.note}>{t('several.noSettings')}</p>}
        setData={(patch) => setData(patch as Record<string, Json>)}
        document={document}
        readOnly={readOnly}
      />
    </section>
  )
}

/** The most items listed; the canvas shows the others. */
const LISTED = 30

function GoTo({ groups, blocks }: { groups: readonly string[]; blocks: readonly BlockView[] }) {
  const { t } = useTranslation('builder')
  const editor = useEditor()
  const view = useView()
  const texts = useKindTexts()
  const views = useProjection((projection) => projection.groups)
  const { at } = sceneOf(editor).order()
  const place = (id: string) => at.get(id) ?? 0
  const titleOf = (id: string) => views.get(id)?.title || t('canvas.untitled')
  const items = [
    ...groups
      .toSorted((one, other) => place(one) - place(other))
      .map((id) => ({ key: id, label: titleOf(id), go: () => view.show(id) })),
    ...blocks.map(({ id, kind, groupId }) => ({
      key: id,
      label: t('several.item', { kind: texts.title(kind), group: titleOf(groupId) }),
      go: () => view.show(groupId, id),
    })),
  ]
  return (
    <section className={styles.part} aria-label={t('several.goTo')}>
      <h3>{t('several.goTo')}</h3>
      <ul className={inspector.blocks}>
        {items.slice(0, LISTED).map(({ key, label, go }) => (
          <li key={key}>
            <button type="button" onClick={go}>
              {label}
            </button>
          </li>
        ))}
      </ul>
      {items.length > LISTED && <p className={styles.note}>{t('several.more', { count: items.length - LISTED })}</p>}
    </section>
  )
}
