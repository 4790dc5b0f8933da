import { CopyPlus, PanelRightClose, Trash2 } from 'lucide-react'
import { type ComponentType, lazy, type ReactNode, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { BlockView } from '../../../engine/document/commands'
import { flowCaps } from '../../../engine/flow/schema'
import type { Json } from '../../../engine/values/json'
import { deleteSelection } from '../../canvas/actions'
import { nothingSelected, select } from '../../canvas/canvasStore'
import { usePasting } from '../../canvas/clipboard/usePasting'
import { useCanvasState, useEditor, useKindTexts, useProjection } from '../../canvas/context'
import { iconOf } from '../../canvas/kindFaces'
import type { BlockEditorProps } from '../../text/blockEditor'
import { IconButton } from '../../ui/IconButton'
import { LoadingState } from '../../ui/LoadingState'
import { TextField } from '../../ui/TextField'
import { BlockProblems } from './BlockProblems'
import styles from './Inspector.module.css'
import { PanelBoundary } from './PanelBoundary'

type EditorComponent = ComponentType<BlockEditorProps>
const modules = import.meta.glob<EditorComponent>('../../../blocks/*/editor.tsx', { import: 'default' })
const editors = new Map(
  Object.entries(modules).map(([path, load]) => [
    path.split('/').at(-2) ?? '',
    lazy(async () => ({ default: await load() })),
  ]),
)

/** Loads every form: a connection that goes away must not take with it what one has not opened yet. */
export const preloadForms = () => Promise.allSettled(Object.values(modules).map((load) => load()))

/** The settings of the one thing that is selected: a block's form, or a group's title. */
export function Inspector() {
  const selection = useCanvasState((state) => state.selection)
  const [blockId] = selection.blocks
  const [groupId] = selection.groups
  const block = useProjection((projection) => (blockId === undefined ? undefined : projection.blocks.get(blockId)))
  if (block) return <BlockSettings key={block.id} block={block} />
  return groupId === undefined ? null : <GroupSettings key={groupId} groupId={groupId} />
}

function BlockSettings({ block }: { block: BlockView }) {
  const { registry, document, readOnly } = useEditor()
  const { t } = useTranslation('builder')
  const kinds = useKindTexts()
  const definition = registry.find(block.kind)
  const Editor = editors.get(block.kind)
  const Icon = iconOf(block.kind)
  const setData = useMemo(
    () => (patch: Partial<Record<string, Json>>) => {
      const present = document.projection().blocks.get(block.id)
      if (present) document.commands.setBlockData(block.id, { ...present.data, ...(patch as Record<string, Json>) })
    },
    [document, block.id],
  )
  return (
    <>
      <PanelHeader
        icon={
          <span className={styles.icon} data-category={definition?.category} aria-hidden>
            <Icon size={16} />
          </span>
        }
        title={kinds.title(block.kind)}
        help={kinds.help(block.kind)}
      />
      <div className={styles.body}>
        <BlockProblems blockId={block.id} />
        {Editor ? (
          <PanelBoundary message={t('panel.formFailed')}>
            <Suspense fallback={<LoadingState rows={3} />}>
              <Editor
                key={block.id}
                blockId={block.id}
                kind={block.kind}
                data={block.data}
                setData={setData}
                document={document}
                readOnly={readOnly}
              />
            </Suspense>
          </PanelBoundary>
        ) : (
          <p className={styles.hint}>{t('panel.noForm')}</p>
        )}
      </div>
    </>
  )
}

function GroupSettings({ groupId }: { groupId: string }) {
  const { document, store, readOnly } = useEditor()
  const { t } = useTranslation('builder')
  const kinds = useKindTexts()
  const group = useProjection((projection) => projection.groups.get(groupId))
  const blocks = useProjection((projection) => projection.blocks)
  if (!group) return null
  return (
    <>
      <PanelHeader title={t('panel.group')} help={t('panel.blocks', { count: group.blockIds.length })} />
      <div className={`${styles.body} ${styles.padded}`}>
        <TextField
          key={group.title}
          label={t('panel.groupTitle')}
          defaultValue={group.title}
          maxLength={flowCaps.groupTitle}
          readOnly={readOnly}
          onBlur={(event) => {
            const title = event.currentTarget.value.trim()
            if (title !== group.title) document.commands.setGroupTitle(groupId, title)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
          }}
        />
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

function PanelHeader({ icon, title, help }: { icon?: ReactNode; title: string; help: string }) {
  const editor = useEditor()
  const pasting = usePasting()
  const { t } = useTranslation('builder')
  return (
    <header className={styles.header}>
      <div className={styles.titleRow}>
        {icon}
        <h2>{title}</h2>
        {!editor.readOnly && (
          <>
            <IconButton
              size="s"
              label={t('panel.duplicate')}
              icon={<CopyPlus size={15} />}
              onClick={pasting.duplicate}
            />
            <IconButton
              size="s"
              label={t('panel.delete')}
              icon={<Trash2 size={15} />}
              onClick={() => deleteSelection(editor)}
            />
          </>
        )}
        <IconButton
          size="s"
          label={t('panel.close')}
          icon={<PanelRightClose size={15} />}
          onClick={() => editor.store.setState({ selection: nothingSelected })}
        />
      </div>
      {help && <p className={styles.hint}>{help}</p>}
    </header>
  )
}
