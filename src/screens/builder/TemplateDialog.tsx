import { useMutation } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import { type ListedTemplate, takeTemplate } from '../../../server/api/templates/contract'
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

/** Puts a template beside what is in the open flow. It brings the action that opens it. */
export function TemplateDialog() {
  const { t } = useTranslation('templates')
  const editor = useEditor()
  const view = useView()
  const { pgid, chatbot } = useBuilder()
  const { reread } = useFlowChanges(pgid, chatbot.gid)
  const [opened, setOpened] = useState(false)
  const [chosen, setChosen] = useState<ListedTemplate | null>(null)
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
      insertBeside(editor, flow)
      close()
      void reread()
      view.fit()
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

/** One step of undo; what came in is selected. A start that nothing follows yet makes room for the template's own. */
function insertBeside({ document, store, registry }: Editor, flow: Flow): void {
  const { groups, edges } = document.projection()
  const before = new Set(groups.keys())
  const isBare =
    edges.size === 0 &&
    [...document.projection().blocks.values()].every(({ kind }) => registry.find(kind)?.category === 'trigger')
  document.commands.batch(() => {
    if (isBare) document.commands.deleteGroups([...before])
    document.commands.insertFlow({ ...emptyFlow(), ...flow })
  })
  select(store, { groups: [...document.projection().groups.keys()].filter((id) => !before.has(id)) })
}
