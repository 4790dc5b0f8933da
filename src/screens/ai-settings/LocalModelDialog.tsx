import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LOCAL_MODEL_CAPS, type LocalModelFile, missingModelFiles } from '../../../server/contracts/localModels'
import { ApiFailure, failureText } from '../../api/failure'
import { useLocalModelChanges } from '../../api/localModels'
import { formatBytes } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { FilesDrop } from '../../ui/FilesDrop'
import { Modal, ModalActions } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { Segmented } from '../../ui/Segmented'
import { TextField } from '../../ui/TextField'
import styles from './aiSettings.module.css'

type Way = 'address' | 'files'
type Chosen = Partial<Record<LocalModelFile, File>>

/** Adds an embedding model: by the address of its page, or by its files. */
export function LocalModelDialog({ pgid, onClose }: { pgid: string; onClose: () => void }) {
  const { t } = useTranslation('aiSettings')
  const [way, setWay] = useState<Way>('address')
  return (
    <Modal opened onClose={onClose} title={t('localDialog.title')}>
      <div className={styles.form}>
        <p className={styles.about}>{t('localDialog.about')}</p>
        <Segmented<Way>
          label={t('localDialog.way')}
          value={way}
          options={[
            { value: 'address', label: t('localDialog.byAddress') },
            { value: 'files', label: t('localDialog.byFiles') },
          ]}
          onChange={setWay}
        />
        {way === 'address' ? (
          <AddressForm pgid={pgid} onClose={onClose} />
        ) : (
          <FilesForm pgid={pgid} onClose={onClose} />
        )}
      </div>
    </Modal>
  )
}

interface FormProps {
  pgid: string
  onClose: () => void
}

function AddressForm({ pgid, onClose }: FormProps) {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const [address, setAddress] = useState('')
  const { load } = useLocalModelChanges(pgid)
  const fields = load.error instanceof ApiFailure ? load.error.fields : {}
  const error = load.error && (fields.address ?? failureText(load.error, common('errors.message')))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    load.mutate(address.trim(), { onSuccess: onClose })
  }
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <TextField
        label={t('localDialog.address')}
        description={t('localDialog.addressHint')}
        placeholder="https://huggingface.co/minishlab/potion-multilingual-128M"
        value={address}
        inputMode="url"
        spellCheck={false}
        data-autofocus
        error={error}
        onChange={(event) => {
          load.reset()
          setAddress(event.currentTarget.value)
        }}
      />
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="primary" loading={load.isPending}>
          {t('localDialog.load')}
        </Button>
      </ModalActions>
    </form>
  )
}

const NAMES = Object.keys(LOCAL_MODEL_CAPS) as LocalModelFile[]
const ACCEPT = {
  'application/octet-stream': ['.safetensors', '.onnx'],
  'application/json': ['.json'],
  'text/markdown': ['.md'],
}
/** Files in ONNX are published under many names; which of them it is doesn't matter. */
const roleOf = ({ name }: File): LocalModelFile | undefined =>
  name.endsWith('.onnx') ? 'model.onnx' : NAMES.find((each) => each === name)

function FilesForm({ pgid, onClose }: FormProps) {
  const { t } = useTranslation('aiSettings')
  const { t: common } = useTranslation()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<Chosen>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [part, setPart] = useState(0)
  const { upload } = useLocalModelChanges(pgid)
  const missing = missingModelFiles(Object.keys(chosen))
  const choose = (files: File[]) => {
    upload.reset()
    const roles = files.map((file) => ({ file, role: roleOf(file) }))
    const other = roles.find(({ role }) => role === undefined)?.file
    const large = roles.find(({ file, role }) => role && file.size > LOCAL_MODEL_CAPS[role])
    setProblem(
      other
        ? t('localDialog.unknownFile', { name: other.name })
        : large?.role
          ? t('localDialog.tooLarge', { name: large.file.name, size: formatBytes(LOCAL_MODEL_CAPS[large.role]) })
          : null,
    )
    const fit = roles.flatMap((each) => (each.role && each !== large ? [[each.role, each.file]] : []))
    setChosen((before) => ({ ...before, ...Object.fromEntries(fit) }))
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (missing.length > 0) return setProblem(t('localDialog.missing', { names: missing.join(', ') }))
    upload.mutate(
      { name: name.trim(), files: chosen, onProgress: setPart },
      {
        onSuccess: () => {
          notify.success(t('localDialog.uploaded'))
          onClose()
        },
      },
    )
  }
  const error = problem ?? (upload.error && failureText(upload.error, common('errors.message')))
  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <TextField
        label={t('localDialog.name')}
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FilesDrop label={t('localDialog.choose')} hint={t('localDialog.chooseHint')} accept={ACCEPT} onFiles={choose} />
      {Object.values(chosen).map((file) => (
        <p key={file.name} className={styles.facts}>
          {file.name} · {formatBytes(file.size)}
        </p>
      ))}
      {upload.isPending && (
        <div
          role="progressbar"
          aria-label={t('localDialog.uploading')}
          aria-valuenow={Math.round(part * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          className={styles.bar}
        >
          <div className={styles.filled} style={{ width: `${part * 100}%` }} />
        </div>
      )}
      {error && (
        <p role="alert" className={styles.problem}>
          {error}
        </p>
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="primary" loading={upload.isPending}>
          {t('localDialog.upload')}
        </Button>
      </ModalActions>
    </form>
  )
}
