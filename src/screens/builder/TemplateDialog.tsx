import { useMutation } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Flow } from '../../../engine/flow/schema'
import { type ListedTemplate, takeTemplate } from '../../../server/contracts/templates'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { useFlowChanges } from '../../api/flows'
import { type Action, useProvideActions } from '../../canvas/actionRegistry'
import { useView } from '../../canvas/adapter'
import { select } from '../../canvas/canvasStore'
import { type Editor, useEditor } from '../../canvas/context'
import { TemplateGallery } from '../../templates/TemplateGallery'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { useBuilder } from './builderContext'

const NONE: readonly Action[] = []

/** Inserts a template into the open flow. Registers the action that opens it. */
export function TemplateDialog() {
  const { t } = useTranslation('templates')
  const editor = useEditor()
  const view = useView()
  const { pgid, chatbot } = useBuilder()
  const { reread } = useFlowChanges(pgid, chatbot.gid)
  const [opened, setOpened] = useState(false)
  const [chosen, setChosen] = useState<ListedTemplate | null>(null)
  const [inserted, setInserted] = useState<string[]>([])
  // once they are rendered
  useEffect(() => {
    if (inserted.length > 0) view.fitGroups(inserted)
  }, [inserted, view])
  useProvideActions(
    useMemo(
      () =>
        editor.readOnly
          ? NONE
          : [
              {
                id: 'insertTemplate',
                section: 'flow',
                icon: LayoutTemplate,
                writes: true,
                menu: 'canvas',
                run: () => setOpened(true),
              },
            ],
      [editor.readOnly],
    ),
  )
  const run = useMutation({
    mutationFn: ({ slug }: ListedTemplate) =>
      callRoute(takeTemplate, { params: { pgid, cgid: chatbot.gid }, body: { template: slug } }),
    onSuccess: ({ flow }, { title }) => {
      setInserted(insertBeside(editor, flow))
      close()
      void reread()
      notify.success(t('insert.done', { title }))
    },
  })
  const close = () => {
    setOpened(false)
    setChosen(null)
    run.reset()
  }
  return (
    <Modal opened={opened} onClose={close} title={t('insert.title')} size={960}>
      <TemplateGallery
        chosen={chosen}
        onChoose={(template) => {
          run.reset()
          setChosen(template)
        }}
      />
      {run.error && <p role="alert">{failureText(run.error, t('insert.failed'))}</p>}
      <ModalActions>
        <Button onClick={close}>{t('insert.cancel')}</Button>
        {chosen && (
          <Button design="primary" loading={run.isPending} onClick={() => run.mutate(chosen)}>
            {t('insert.run')}
          </Button>
        )}
      </ModalActions>
    </Modal>
  )
}

/**
 * Inserts a flow as one undo step, and selects it. A start without a connection is replaced by the template's;
 * otherwise the template's start is left out, since one of two would never be used.
 * @returns the ids of the inserted groups
 */
function insertBeside({ document, store, registry }: Editor, flow: Flow): string[] {
  const { groups, blocks, edges } = document.projection()
  const before = new Set(groups.keys())
  const begins = (kind: string) => Boolean(registry.find(kind)?.startsOn)
  const isBare = edges.size === 0 && [...blocks.values()].every(({ kind }) => begins(kind))
  const isBegun = !isBare && [...blocks.values()].some(({ kind }) => begins(kind))
  document.commands.batch(() => {
    if (isBare) document.commands.deleteGroups([...before])
    document.commands.insertFlow(isBegun ? withoutBlocks(flow, begins) : flow)
  })
  const added = [...document.projection().groups.keys()].filter((id) => !before.has(id))
  select(store, { groups: added })
  return added
}

/** Removes blocks of some kinds, groups that become empty, and their edges. */
function withoutBlocks(flow: Flow, leavesOut: (kind: string) => boolean): Flow {
  const groups = flow.groups
    .map((group) => ({ ...group, blocks: group.blocks.filter(({ kind }) => !leavesOut(kind)) }))
    .filter(({ blocks }) => blocks.length > 0)
  const kept = new Set(groups.flatMap(({ id, blocks }) => [id, ...blocks.map((block) => block.id)]))
  const edges = flow.edges.filter(({ from, to }) => kept.has(from.blockId) && kept.has(to.blockId ?? to.groupId))
  return { ...flow, groups, edges }
}
