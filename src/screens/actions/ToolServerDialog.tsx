import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ToolServer, toolServerCaps } from '../../../server/contracts/tool-servers'
import { ApiFailure, failureText } from '../../api/failure'
import { useToolServerChanges } from '../../api/toolServers'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import styles from './toolServers.module.css'

interface ToolServerDialogProps {
  pgid: string
  cgid: string
  /** the server whose token is changed; null: a new one */
  server: ToolServer | null
  onClose: () => void
}

/** Asks for an MCP server's address and token; its tools are listed before it is saved. */
export function ToolServerDialog({ pgid, cgid, server, onClose }: ToolServerDialogProps) {
  const { t } = useTranslation('toolServers')
  const { t: common } = useTranslation()
  const { add, change } = useToolServerChanges(pgid, cgid)
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const sending = server ? change : add
  const fields = sending.error instanceof ApiFailure ? sending.error.fields : {}
  const general =
    sending.error && Object.keys(fields).length === 0 ? failureText(sending.error, common('errors.message')) : null
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const options = { onSuccess: onClose }
    if (server) change.mutate({ gid: server.gid, token }, options)
    else add.mutate({ name, url, ...(token.trim() !== '' && { token }) }, options)
  }
  return (
    <Modal opened onClose={onClose} title={server ? t('dialog.tokenTitle', { name: server.name }) : t('dialog.title')}>
      <form onSubmit={submit} className={styles.form} noValidate>
        {general && (
          <p role="alert" className={styles.problem}>
            {general}
          </p>
        )}
        {!server && (
          <>
            <TextField
              label={t('dialog.name')}
              placeholder={t('dialog.namePlaceholder')}
              value={name}
              maxLength={64}
              error={fields.name}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
            />
            <TextField
              label={t('dialog.url')}
              placeholder={t('dialog.urlPlaceholder')}
              value={url}
              maxLength={2048}
              inputMode="url"
              spellCheck={false}
              error={fields.url}
              onChange={(event) => setUrl(event.currentTarget.value)}
            />
          </>
        )}
        <PasswordField
          label={t('dialog.token')}
          description={t('dialog.tokenHint')}
          revealLabel={t('dialog.reveal')}
          value={token}
          maxLength={toolServerCaps.token}
          autoComplete="off"
          error={fields.token ?? (server ? fields.url : undefined)}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <ModalActions>
          <Button onClick={onClose}>{common('actions.cancel')}</Button>
          <Button type="submit" design="primary" loading={sending.isPending}>
            {t(server ? 'dialog.save' : 'dialog.submit')}
          </Button>
        </ModalActions>
      </form>
    </Modal>
  )
}
