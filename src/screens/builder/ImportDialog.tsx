import { useMutation } from '@tanstack/react-query'
import { FileJson2 } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { flowCaps } from '../../../engine/flow/schema'
import { importFlow } from '../../../server/contracts/flows'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { ImportReportDialog } from '../../ui/ImportReportDialog'
import { Modal, ModalActions } from '../../ui/Modal'
import styles from './ImportDialog.module.css'

type Mode = 'insert' | 'replace'

interface ImportDialogProps {
  opened: boolean
  params: { pgid: string; cgid: string; fid: string }
  /** an empty flow is replaced without asking */
  empty: boolean
  onClose: () => void
  /** called before a file is sent */
  onImporting: () => void
  /** called when the server has accepted the import, before its groups appear */
  onImported: () => void
}

/** Imports a file, then shows the report. */
export function ImportDialog({ opened, params, empty, onClose, onImporting, onImported }: ImportDialogProps) {
  const { t } = useTranslation('builder')
  const [file, setFile] = useState<File | null>(null)
  const [mode, setMode] = useState<Mode>('insert')
  const [refused, setRefused] = useState<string | null>(null)
  const run = useMutation({
    mutationFn: async (chosen: File) =>
      callRoute(importFlow, { params, body: { source: await chosen.text(), mode: empty ? 'replace' : mode } }),
    onMutate: onImporting,
    onSuccess: () => {
      setFile(null)
      onClose()
      onImported()
    },
  })
  const choose = (chosen: File | undefined) => {
    run.reset()
    const tooLarge = chosen !== undefined && chosen.size > flowCaps.bytes
    setRefused(tooLarge ? t('import.tooLarge') : null)
    setFile(chosen && !tooLarge ? chosen : null)
  }
  const error = refused ?? (run.error ? failureText(run.error, t('import.failed')) : null)
  return (
    <>
      <Modal opened={opened} onClose={onClose} title={t('import.title')} size={480}>
        <FileDrop file={file} onChoose={choose} />
        {!empty && (
          <fieldset className={styles.modes}>
            <legend>{t('import.mode')}</legend>
            {(['insert', 'replace'] as const).map((value) => (
              <label key={value}>
                <input
                  type="radio"
                  name="mode"
                  value={value}
                  checked={mode === value}
                  onChange={() => setMode(value)}
                />
                {t(`import.${value}`)}
              </label>
            ))}
          </fieldset>
        )}
        {error && (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
        <ModalActions>
          <Button onClick={onClose}>{t('import.cancel')}</Button>
          <Button design="primary" disabled={!file} loading={run.isPending} onClick={() => file && run.mutate(file)}>
            {t('import.run')}
          </Button>
        </ModalActions>
      </Modal>
      <ImportReportDialog result={opened ? null : (run.data ?? null)} onClose={() => run.reset()} />
    </>
  )
}

function FileDrop({ file, onChoose }: { file: File | null; onChoose: (file: File | undefined) => void }) {
  const { t } = useTranslation('builder')
  const [over, setOver] = useState(false)
  const drag = (event: DragEvent, inside: boolean) => {
    event.preventDefault()
    setOver(inside)
  }
  return (
    <label
      className={styles.drop}
      data-over={over || undefined}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false)
        onChoose(event.dataTransfer.files[0])
      }}
    >
      <FileJson2 size={22} strokeWidth={1.5} aria-hidden />
      <strong>{file ? file.name : t('import.drop')}</strong>
      <span>{t('import.formats')}</span>
      <input
        type="file"
        accept=".json,.yml,.yaml,application/json,application/yaml"
        aria-label={t('import.choose')}
        onChange={(event) => onChoose(event.target.files?.[0])}
      />
    </label>
  )
}
