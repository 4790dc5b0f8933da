import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ContactImport, importCaps } from '../../../../server/contracts/contactImports'
import { importQuery, importsQuery, useContactImport } from '../../../api/contactImports'
import { failureText, fieldsOf } from '../../../api/failure'
import { formatBytes, formatSince } from '../../../i18n/format'
import { Badge } from '../../../ui/Badge'
import { ErrorCard } from '../../../ui/ErrorCard'
import { FileDrop } from '../../../ui/FileDrop'
import { LoadingState } from '../../../ui/LoadingState'
import { Modal, ModalText } from '../../../ui/Modal'
import { ImportResult } from './ImportResult'
import styles from './imports.module.css'
import { MappingForm } from './MappingForm'

/** Contacts from a CSV file: a file, where its columns go, a dry run, and the import. */
export function ImportDialog({ pgid, onClose }: { pgid: string; onClose: () => void }) {
  const { t } = useTranslation('contacts')
  const [gid, setGid] = useState<string | null>(null)
  return (
    <Modal opened onClose={onClose} size="xl" title={t('import.title')}>
      {gid === null ? (
        <ChooseFile pgid={pgid} onChosen={setGid} />
      ) : (
        <Import pgid={pgid} gid={gid} onAnother={() => setGid(null)} onClose={onClose} />
      )}
    </Modal>
  )
}

const accept = { 'text/csv': ['.csv', '.tsv', '.txt'] }

function ChooseFile({ pgid, onChosen }: { pgid: string; onChosen: (gid: string) => void }) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { upload } = useContactImport(pgid)
  const { data: imports = [] } = useQuery(importsQuery(pgid))
  const [file, setFile] = useState<File | null>(null)
  const max = formatBytes(importCaps.bytes)
  const isTooLarge = file !== null && file.size > importCaps.bytes
  const problem = isTooLarge
    ? t('import.tooLarge', { max })
    : upload.error
      ? (fieldsOf(upload.error).file ?? failureText(upload.error, common('errors.message')))
      : undefined
  const choose = (chosen: File) => {
    setFile(chosen)
    upload.reset()
    if (chosen.size > importCaps.bytes) return
    upload.mutate({ file: chosen, onProgress: () => undefined }, { onSuccess: (answer) => onChosen(answer.import.gid) })
  }
  return (
    <>
      <ModalText>{t('import.description')}</ModalText>
      <div className={styles.file}>
        <FileDrop
          file={file}
          error={problem}
          label={t('import.choose')}
          hint={t('import.hint', { max, rows: importCaps.rows })}
          accept={accept}
          onFile={choose}
        />
      </div>
      {upload.isPending && <LoadingState rows={2} height={36} />}
      {imports.length > 0 && (
        <section className={styles.earlier}>
          <h3>{t('import.earlier')}</h3>
          <ul className={styles.earlierList}>
            {imports.map(({ gid, name, status, created_at }) => (
              <li key={gid} className={styles.earlierOne}>
                <button type="button" className={styles.open} onClick={() => onChosen(gid)}>
                  {name}
                </button>
                <Badge tone={toneOf(status)}>{t(`import.statuses.${status}`)}</Badge>
                <time className={styles.earlierAt} dateTime={created_at}>
                  {formatSince(created_at)}
                </time>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const toneOf = (status: ContactImport['status']) =>
  status === 'done' ? 'success' : status === 'failed' ? 'danger' : status === 'parsed' ? 'neutral' : 'accent'

interface ImportProps {
  pgid: string
  gid: string
  onAnother: () => void
  onClose: () => void
}

function Import({ pgid, gid, onAnother, onClose }: ImportProps) {
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(importQuery(pgid, gid))
  const [mapping, setMapping] = useState(false)
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={5} height={40} />
  if (mapping || data.import.status === 'parsed')
    return (
      <MappingForm
        pgid={pgid}
        file={data.import}
        problems={data.problems}
        onChecked={() => {
          setMapping(false)
          void refetch()
        }}
        onAnother={onAnother}
      />
    )
  return <ImportResult pgid={pgid} {...data} file={data.import} onMapping={() => setMapping(true)} onClose={onClose} />
}
