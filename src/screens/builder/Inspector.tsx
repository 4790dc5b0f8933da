import { type ComponentType, memo, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { BlockView } from '../../../engine/document/commands'
import { flowCaps } from '../../../engine/flow/schema'
import type { Json } from '../../../engine/values/json'
import { lazyPart } from '../../api/lazyPart'
import { select } from '../../canvas/canvasStore'
import { useCanvasState, useEditor, useKindTexts, useProjection } from '../../canvas/context'
import { iconOf } from '../../canvas/kindFaces'
import type { BlockEditorProps } from '../../text/blockEditor'
import { FormNote, JsonView } from '../../text/form/FormNote'
import { PeersHere } from '../../text/PeersHere'
import { LoadingState } from '../../ui/LoadingState'
import { TextField } from '../../ui/TextField'
import { BlockProblems } from './BlockProblems'
import styles from './Inspector.module.css'
import { InspectorHeader } from './InspectorHeader'
import { PanelBoundary } from './PanelBoundary'
import { SeveralSettings } from './SeveralSettings'

type EditorComponent = ComponentType<BlockEditorProps>
const modules = import.meta.glob<EditorComponent>('../../../blocks/*/editor.tsx', { import: 'default' })
const editors = new Map(
  Object.entries(modules).map(([path, load]) => [
    path.split('/').at(-2) ?? '',
    lazyPart(async () => ({ default: await load() }), <LoadingState rows={3} />),
  ]),
)

/** Preloads the form of a kind. */
export const preloadForm = (kind: string) => editors.get(kind)?.preload()

/** Preloads all forms, so that they work offline. */
export const preloadForms = () => Promise.allSettled([...editors.values()].map((form) => form.preload()))

/** The settings of the selection: a block's form, a group's title, or common settings of several. */
export function Inspector() {
  const selection = useCanvasState((state) => state.selection)
  const [blockId] = selection.blocks
  const [groupId] = selection.groups
  const block = useProjection((projection) => (blockId === undefined ? undefined : projection.blocks.get(blockId)))
  if (selection.blocks.size + selection.groups.size > 1) return <SeveralSettings />
  if (block) return <BlockSettings key={block.id} block={block} />
  return groupId === undefined ? null : <GroupSettings key={groupId} groupId={groupId} />
}

function BlockSettings({ block }: { block: BlockView }) {
  const { document, readOnly } = useEditor()
  const { t } = useTranslation('builder')
  const Editor = editors.get(block.kind)
  const form = useRef<HTMLDivElement>(null)
  const setData = useMemo(
    () => (patch: Partial<Record<string, Json>>) => {
      const present = document.projection().blocks.get(block.id)
      if (present) document.commands.setBlockData(block.id, { ...present.data, ...(patch as Record<string, Json>) })
    },
    [document, block.id],
  )
  return (
    <>
      <BlockHeader kind={block.kind} />
      <div ref={form} className={styles.body}>
        {Editor ? (
          <PanelBoundary message={t('panel.formFailed')}>
            <Editor
              key={block.id}
              blockId={block.id}
              kind={block.kind}
              data={block.data}
              setData={setData}
              document={document}
              readOnly={readOnly}
            />
          </PanelBoundary>
        ) : (
          <>
            <FormNote>{t('unknown.note', { kind: block.kind })}</FormNote>
            <JsonView label={t('unknown.data')} data={block.data as Json} />
          </>
        )}
      </div>
      <BlockProblems blockId={block.id} form={form} />
    </>
  )
}

/** Not rendered again while the user types in the form below. */
const BlockHeader = memo(function BlockHeader({ kind }: { kind: string }) {
  const { registry } = useEditor()
  const { t } = useTranslation('builder')
  const kinds = useKindTexts()
  const definition = registry.find(kind)
  const Icon = iconOf(kind)
  return (
    <InspectorHeader
      icon={
        <span className={styles.icon} data-category={definition?.category} aria-hidden>
          <Icon size={16} />
        </span>
      }
      title={definition ? kinds.title(kind) : t('unknown.face', { kind })}
      help={kinds.help(kind)}
    />
  )
})

function GroupSettings({ groupId }: { groupId: string }) {
  const { document, store, readOnly } = useEditor()
  const { t } = useTranslation('builder')
  const kinds = useKindTexts()
  const group = useProjection((projection) => projection.groups.get(groupId))
  const blocks = useProjection((projection) => projection.blocks)
  if (!group) return null
  const place = `${groupId}/title`
  return (
    <>
      <InspectorHeader title={t('panel.group')} help={t('panel.blocks', { count: group.blockIds.length })} />
      <div className={`${styles.body} ${styles.padded}`}>
        <div className={styles.field} data-field={place}>
          <span className={styles.peers}>
            <PeersHere place={place} />
          </span>
          <TextField
            key={group.title}
            label={t('panel.groupTitle')}
            defaultValue={group.title}
            maxLength={flowCaps.groupTitle}
            readOnly={readOnly}
            onBlur={(event) => {
              const title = event.currentTarget.value.trim()
              // a title that is too long stays in the field, with an error
              if (title !== group.title && title.length <= flowCaps.groupTitle)
                document.commands.setGroupTitle(groupId, title)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.currentTarget.blur()
            }}
          />
        </div>
        <ul className={styles.blocks}>
          {group.blockIds.map((id) => (
            <li key={id}>
              <button type="button" onClick={() => select(store, { blocks: [id] })}>
                {kinds.title(blocks.get(id)?.kind ?? '')}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
