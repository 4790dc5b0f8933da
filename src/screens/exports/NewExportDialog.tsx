import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ExportKind, exportFeatures, exportKinds } from '../../../server/contracts/exports'
import { useAccount } from '../../api/account'
import { useCreateExport } from '../../api/exports'
import { failureText } from '../../api/failure'
import { isAllowed, parseFeatureRoles } from '../../api/roles'
import { segmentsQuery } from '../../api/segments'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './exports.module.css'

/** What of the project is to be exported. */
export function NewExportDialog({ pgid, onClose }: { pgid: string; onClose: () => void }) {
  const { t } = useTranslation('exports')
  const { t: common } = useTranslation()
  const { user, fr } = useAccount()
  const kinds = exportKinds.filter((kind) => isAllowed(exportFeatures[kind], user.project_roles, parseFeatureRoles(fr)))
  const [kind, setKind] = useState<ExportKind>(kinds[0] ?? 'conversations')
  const [chatbot, setChatbot] = useState('')
  const [segment, setSegment] = useState('')
  const { data: segments = [] } = useQuery({ ...segmentsQuery(pgid), enabled: kind === 'contacts' })
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const create = useCreateExport(pgid)
  const isWrong = from !== '' && to !== '' && from > to
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (isWrong) return
    const ofSegment = kind === 'contacts' && segment !== '' && { segment }
    const wanted = { kind, ...ofSegment, ...(chatbot && { chatbot }), ...(from && { from }), ...(to && { to }) }
    create.mutate(wanted, { onSuccess: onClose })
  }
  return (
    <Modal opened onClose={onClose} title={t('new')}>
      <form onSubmit={submit} noValidate className={styles.form}>
        <Select
          data-autofocus
          label={t('what')}
          allowDeselect={false}
          data={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          value={kind}
          onChange={(value) => setKind(exportKinds.find((each) => each === value) ?? kind)}
          description={t(`hints.${kind}`)}
        />
        <Select
          label={t('chatbot')}
          allowDeselect={false}
          data={[
            { value: '', label: t('allChatbots') },
            ...user.chatbots.map(({ gid, name }) => ({ value: gid, label: name })),
          ]}
          value={chatbot}
          onChange={(value) => setChatbot(value ?? '')}
        />
        {kind === 'contacts' && segments.length > 0 && (
          <Select
            label={t('segment')}
            allowDeselect={false}
            data={[
              { value: '', label: t('allContacts') },
              ...segments.map(({ gid, name }) => ({ value: gid, label: name })),
            ]}
            value={segment}
            onChange={(value) => setSegment(value ?? '')}
          />
        )}
        <div className={styles.period}>
          <TextField
            type="date"
            label={t('from')}
            value={from}
            onChange={({ currentTarget: { value } }) => setFrom(value)}
          />
          <TextField
            type="date"
            label={t('to')}
            value={to}
            error={isWrong && t('contradiction')}
            onChange={({ currentTarget: { value } }) => setTo(value)}
          />
        </div>
        {create.error && (
          <p role="alert" className={styles.problem}>
            {failureText(create.error, common('errors.message'))}
          </p>
        )}
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button design="primary" type="submit" loading={create.isPending}>
            {t('begin')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
