import { FileUp, Workflow } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { flowCaps } from '../../../engine/flow/schema'
import { useCan } from '../../api/account'
import { NAME_CAP, useChatbotChanges } from '../../api/chatbots'
import { ApiFailure, fieldOr } from '../../api/failure'
import { formatBytes } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Choice, Choices } from '../../ui/Choices'
import { FileDrop } from '../../ui/FileDrop'
import { ImportReportDialog } from '../../ui/ImportReportDialog'
import { PageHeader } from '../../ui/PageHeader'
import { TextField } from '../../ui/TextField'
import { nameFromFile, readFlowFile } from './flowFile'
import styles from './NewChatbotScreen.module.css'

type Start = 'scratch' | 'file'

/** A name, and where the flow comes from. */
export function NewChatbotScreen() {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const mayImport = useCan('builder.update')
  const [start, setStart] = useState<Start>(
    useSearchParams()[0].get('from') === 'file' && mayImport ? 'file' : 'scratch',
  )
  const [name, setName] = useState('')
  const flow = useFlowFile()
  const creation = useCreation(pgid)
  const ready = name.trim() !== '' && (start === 'scratch' || flow.source !== null)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (ready) creation.create(name.trim(), start === 'file' ? flow.source : null)
  }
  const choose = async (file: File) => {
    creation.reset()
    if (!name.trim()) setName(nameFromFile(file.name).slice(0, NAME_CAP))
    await flow.choose(file)
  }
  return (
    <div className={styles.page}>
      <PageHeader title={t('create.title')} description={t('create.description')} />
      <form onSubmit={submit}>
        <Card
          footer={
            <>
              <Button to={`/projects/${pgid}/chatbots`} design="ghost">
                {common('actions.cancel')}
              </Button>
              <Button type="submit" design="primary" disabled={!ready} loading={creation.busy}>
                {t(start === 'file' ? 'create.submitFile' : 'create.submit')}
              </Button>
            </>
          }
        >
          <div className={styles.fields}>
            <TextField
              label={t('create.name')}
              placeholder={t('create.placeholder')}
              value={name}
              maxLength={NAME_CAP}
              error={creation.nameError}
              onChange={(event) => setName(event.currentTarget.value)}
              autoFocus
            />
            {mayImport && (
              <Choices label={t('create.start')} value={start} onChange={setStart}>
                <Choice
                  value="scratch"
                  icon={<Workflow />}
                  title={t('create.scratch')}
                  description={t('create.scratchDescription')}
                />
                <Choice
                  value="file"
                  icon={<FileUp />}
                  title={t('create.file')}
                  description={t('create.fileDescription')}
                />
              </Choices>
            )}
            {start === 'file' && (
              <FileDrop
                file={flow.file}
                error={flow.problem ?? creation.error}
                label={t('create.drop')}
                hint={t('create.dropHint', {
                  size: formatBytes(flowCaps.bytes),
                })}
                accept={{ 'application/json': ['.json'] }}
                onFile={choose}
              />
            )}
            {start === 'scratch' && creation.error && (
              <p role="alert" className={styles.alert}>
                {creation.error}
              </p>
            )}
          </div>
        </Card>
      </form>
      <ImportReportDialog result={creation.report} done={t('create.toBuilder')} onClose={creation.open} />
    </div>
  )
}

/** The chosen file, its text once read, and what is wrong with it. */
function useFlowFile() {
  const { t } = useTranslation('chatbots')
  const [state, setState] = useState<{
    file: File | null
    source: string | null
    problem: string | undefined
  }>({
    file: null,
    source: null,
    problem: undefined,
  })
  const choose = async (file: File) => {
    setState({ file, source: null, problem: undefined })
    const read = await readFlowFile(file)
    if ('source' in read) return setState({ file, source: read.source, problem: undefined })
    setState({
      file,
      source: null,
      problem: t(`create.${read.problem}`, {
        size: formatBytes(flowCaps.bytes),
      }),
    })
  }
  return { ...state, choose }
}

/** Makes the chatbot, from a file's text when there is one, and leads to its builder: at once, or after the import report. */
function useCreation(pgid: string) {
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { create } = useChatbotChanges(pgid)
  const openBuilder = (cgid: string) => void navigate(`/projects/${pgid}/chatbots/${cgid}/builder`)
  const fields = create.error instanceof ApiFailure ? create.error.fields : {}
  return {
    create: (name: string, source: string | null) =>
      create.mutate(source === null ? { name } : { name, source }, {
        onSuccess: ({ chatbot, imported }) => {
          if (!imported) openBuilder(chatbot.gid)
        },
      }),
    reset: create.reset,
    open: () => create.data && openBuilder(create.data.chatbot.gid),
    busy: create.isPending,
    report: create.data?.imported ?? null,
    nameError: fields.name,
    error: create.error && !fields.name ? fieldOr(create.error, 'source', common('errors.message')) : undefined,
  }
}
