import { useMutation } from '@tanstack/react-query'
import { Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UndoStep } from '../../../engine/document/history'
import { serialiseFlow } from '../../../engine/flow/canonical'
import type { Chatbot } from '../../../server/contracts/chatbots'
import { useCan } from '../../api/account'
import { NAME_CAP, useChatbotChanges } from '../../api/chatbots'
import { failureText } from '../../api/failure'
import type { EditSpan } from '../../collab/offline'
import { useFlow, useFlowState, useOfflineState } from '../../collab/useFlow'
import { formatMoment } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { downloadText } from '../../ui/downloadText'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import styles from './StrandedEdits.module.css'
import { useStepName } from './stepName'

interface StrandedEditsProps {
  pgid: string
  chatbot: Chatbot
  opened: boolean
  onClose: () => void
}

/** Edits that can't be sent any more: why, saving one's version elsewhere, and discarding them. */
export function StrandedEdits({ opened, ...rest }: StrandedEditsProps) {
  const stranded = useOfflineState((state) => state.stranded)
  const { t } = useTranslation('offline')
  if (!stranded) return null
  return (
    <Modal opened={opened} onClose={rest.onClose} title={t('stranded.title', { count: stranded.edits })}>
      <Choices {...stranded} {...rest} />
    </Modal>
  )
}

function Choices({ edits, since, pgid, chatbot, onClose }: EditSpan & Omit<StrandedEditsProps, 'opened'>) {
  const { t } = useTranslation('offline')
  const { offline } = useFlow()
  const refusal = useFlowState((state) => state.refusal)
  const unsaved = useFlowState((state) => state.unsaved)
  const canCopy = useCan('chatbots.create') && refusal !== 'gone'
  const { create } = useChatbotChanges(pgid)
  const [safe, setSafe] = useState(false)
  const [asking, setAsking] = useState(false)
  const why = refusal === null || refusal === 'logged-out' ? 'no-right' : refusal
  const file = async () => serialiseFlow(await offline.version())
  const download = async () => {
    downloadText(await file(), `${chatbot.slug}.parley.json`)
    setSafe(true)
  }
  const copy = useMutation({
    mutationFn: async () => {
      const name = t('stranded.copyName', { name: chatbot.name }).slice(-NAME_CAP)
      return create.mutateAsync({ name, source: await file() })
    },
    onSuccess: ({ chatbot: { name } }) => {
      setSafe(true)
      notify.success(t('stranded.copied', { name }))
    },
  })
  const letGo = async () => {
    await offline.letGo().catch(() => undefined)
    // the loaded account is outdated
    if (refusal === 'gone') return location.assign('/')
    // the page still contains the edits
    if (refusal || unsaved.length > 0) location.reload()
  }
  if (asking)
    return (
      <>
        <ModalText>{t('stranded.sure', { count: edits })}</ModalText>
        <ModalActions>
          <Button onClick={() => setAsking(false)}>{t('stranded.keep')}</Button>
          <Button design="danger" onClick={() => void letGo()}>
            {t('stranded.discard')}
          </Button>
        </ModalActions>
      </>
    )
  return (
    <>
      <ModalText>{t(`stranded.why.${why}`, { since: formatMoment(new Date(since)) })}</ModalText>
      {refusal === null && unsaved.length > 0 && <Steps steps={unsaved} />}
      <ModalText>{t(canCopy ? 'stranded.rescueOrCopy' : 'stranded.rescue')}</ModalText>
      {copy.error && <p role="alert">{failureText(copy.error, t('stranded.failed'))}</p>}
      <ModalActions>
        <Button onClick={onClose}>{t('stranded.later')}</Button>
        {safe ? (
          <Button onClick={() => void letGo()}>{t('stranded.done')}</Button>
        ) : (
          <Button onClick={() => setAsking(true)}>{t('stranded.discard')}</Button>
        )}
        {canCopy && (
          <Button icon={<Copy size={14} />} loading={copy.isPending} onClick={() => copy.mutate()}>
            {t('stranded.copy')}
          </Button>
        )}
        <Button design="primary" icon={<Download size={14} />} onClick={() => void download()}>
          {t('stranded.download')}
        </Button>
      </ModalActions>
    </>
  )
}

/** The edits, as far as this page's history knows them. */
function Steps({ steps }: { steps: readonly UndoStep[] }) {
  const { t } = useTranslation('offline')
  const stepName = useStepName()
  return (
    <>
      <ol className={styles.steps} aria-label={t('stranded.which')}>
        {steps.map((step, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <li key={place}>{stepName(step)}</li>
        ))}
      </ol>
      <ModalText>{t('stranded.back')}</ModalText>
    </>
  )
}
