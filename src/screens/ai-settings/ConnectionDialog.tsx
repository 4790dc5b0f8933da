import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Connection, type ConnectionInput, type Provider, providers } from '../../../server/contracts/ai'
import { useConnectionChanges } from '../../api/ai'
import { ApiFailure, failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Modal, ModalActions } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { PasswordField } from '../../ui/PasswordField'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './aiSettings.module.css'
import { useConnectionName } from './connectionName'
import { type ModelDraft, ModelsField } from './ModelsField'

interface ConnectionDialogProps {
  pgid: string
  /** null: a new one */
  connection: Connection | null
  /** providers that are already connected */
  taken: Provider[]
  onClose: () => void
}

/** Example names of embedding models; Anthropic has none. */
const embeddingExamples: Record<Provider, string | null> = {
  openai: 'text-embedding-3-small',
  anthropic: null,
  google: 'gemini-embedding-001',
  mistral: 'mistral-embed',
  'openai-compatible': 'nomic-embed-text',
}

export function ConnectionDialog(props: ConnectionDialogProps) {
  const { t } = useTranslation('aiSettings')
  const nameOf = useConnectionName()
  const { connection, onClose } = props
  const title = connection ? t('dialog.change', { name: nameOf(connection) }) : t('dialog.add')
  return (
    <Modal opened onClose={onClose} title={title} size="lg">
      <ConnectionForm {...props} />
    </Modal>
  )
}

function ConnectionForm({ pgid, connection, taken, onClose }: ConnectionDialogProps) {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const nameOf = useConnectionName()
  const choices = providers.filter((each) => each === 'openai-compatible' || !taken.includes(each))
  const [provider, setProvider] = useState<Provider>(connection?.provider ?? choices[0] ?? 'openai-compatible')
  const [key, setKey] = useState('')
  const [address, setAddress] = useState(connection?.base_url ?? '')
  const [models, setModels] = useState<ModelDraft[]>(
    connection && connection.models.length > 0
      ? connection.models.map(({ name, supports_actions }) => ({ name, supports_actions }))
      : [{ name: '', supports_actions: true }],
  )
  const [embedding, setEmbedding] = useState(connection?.embedding_model ?? '')
  const [speech, setSpeech] = useState(connection?.speech_model ?? '')
  const { add, change } = useConnectionChanges(pgid)
  const isOwn = provider === 'openai-compatible'
  const name = nameOf({ provider, base_url: null })
  const example = embeddingExamples[provider]
  const error = add.error ?? change.error
  const fields = error instanceof ApiFailure ? error.fields : {}
  const shown = ['provider', 'key', 'base_url', 'models', 'embedding_model', 'speech_model']
  const general =
    error && !Object.keys(fields).some((field) => shown.includes(field.split('.')[0] ?? ''))
      ? failureText(error, common('errors.message'))
      : null
  /** Clears a field's error when it is edited. */
  const edit =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      add.reset()
      change.reset()
      set(value)
    }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const body: ConnectionInput = {
      ...((!connection || key.trim() !== '') && { key }),
      base_url: address.trim() || null,
      ...(isOwn && { models: models.filter((model) => model.name.trim() !== '') }),
      embedding_model: (example !== null && embedding.trim()) || null,
      speech_model: (isOwn && speech.trim()) || null,
    }
    const onSuccess = ({ connection: saved }: { connection: Connection }) => {
      notify.success(t(connection ? 'dialog.changed' : 'dialog.connected', { name: nameOf(saved) }))
      onClose()
    }
    if (connection) change.mutate({ gid: connection.gid, body }, { onSuccess })
    else add.mutate({ ...body, provider }, { onSuccess })
  }
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      {general && (
        <p role="alert" className={styles.problem}>
          {general}
        </p>
      )}
      {!connection && (
        <Select
          label={t('dialog.provider')}
          data={choices.map((value) => ({ value, label: t(`provider.${value}`) }))}
          value={provider}
          allowDeselect={false}
          error={fields.provider}
          onChange={(value) => edit(setProvider)(choices.find((each) => each === value) ?? provider)}
        />
      )}
      {isOwn && (
        <TextField
          label={t('dialog.address')}
          description={t('dialog.addressHint')}
          value={address}
          inputMode="url"
          spellCheck={false}
          error={fields.base_url}
          onChange={(event) => edit(setAddress)(event.currentTarget.value)}
        />
      )}
      <PasswordField
        label={t('dialog.key')}
        description={
          connection?.key_preview != null
            ? t('dialog.keyKept')
            : isOwn
              ? t('dialog.keyOwnHint')
              : t('dialog.keyHint', { name })
        }
        revealLabel={t('dialog.showKey')}
        autoComplete="off"
        spellCheck={false}
        value={key}
        error={fields.key}
        onChange={(event) => edit(setKey)(event.currentTarget.value)}
      />
      {isOwn && <ModelsField models={models} errors={fields} onChange={edit(setModels)} />}
      {example !== null && (
        <TextField
          label={t('dialog.embedding')}
          description={t('dialog.embeddingHint', { example })}
          value={embedding}
          spellCheck={false}
          error={fields.embedding_model}
          onChange={(event) => edit(setEmbedding)(event.currentTarget.value)}
        />
      )}
      {isOwn && (
        <TextField
          label={t('dialog.speech')}
          description={t('dialog.speechHint', { example: 'whisper-1' })}
          value={speech}
          spellCheck={false}
          error={fields.speech_model}
          onChange={(event) => edit(setSpeech)(event.currentTarget.value)}
        />
      )}
      {!isOwn && (
        <TextField
          label={t('dialog.address')}
          description={t('dialog.addressOther', { name })}
          value={address}
          inputMode="url"
          spellCheck={false}
          error={fields.base_url}
          onChange={(event) => edit(setAddress)(event.currentTarget.value)}
        />
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="primary" loading={add.isPending || change.isPending}>
          {t('dialog.submit')}
        </Button>
      </ModalActions>
    </form>
  )
}
