import { useQuery } from '@tanstack/react-query'
import { FileUp, LayoutTemplate, MessageCircleQuestionMark, Workflow } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { flowCaps } from '../../../engine/flow/schema'
import { platforms } from '../../../server/contracts/chatbots'
import type { ListedTemplate } from '../../../server/contracts/templates'
import { useCan } from '../../api/account'
import { NAME_CAP, type NewChatbot, useChatbotChanges } from '../../api/chatbots'
import { ApiFailure, fieldOr } from '../../api/failure'
import { templatesQuery } from '../../api/templates'
import { type Platform, PlatformChoices } from '../../chatbots/PlatformChoices'
import { formatBytes } from '../../i18n/format'
import { TemplateGallery } from '../../templates/TemplateGallery'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Choice, Choices } from '../../ui/Choices'
import { FileDrop } from '../../ui/FileDrop'
import { ImportReportDialog } from '../../ui/ImportReportDialog'
import { PageHeader } from '../../ui/PageHeader'
import { TextField } from '../../ui/TextField'
import { nameFromFile, readFlowFile } from './flowFile'
import styles from './NewChatbotScreen.module.css'

type Start = 'scratch' | 'template' | 'file' | 'answers'

/** A new chatbot: its name, and the source of its flow. */
export function NewChatbotScreen() {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const mayImport = useCan('builder.update')
  const [search] = useSearchParams()
  const from = search.get('from')
  const [start, setStart] = useState<Start>(
    from === 'file' && mayImport ? 'file' : from === 'template' ? 'template' : 'scratch',
  )
  const [name, setName] = useState('')
  const [platform, setPlatform] = useState<Platform>('web')
  const [template, setTemplate] = useState<ListedTemplate | null>(null)
  const flow = useFlowFile()
  const creation = useCreation(pgid)
  const whole = { scratch: true, answers: true, template: template !== null, file: flow.source !== null }[start]
  const ready = name.trim() !== '' && whole

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!ready) return
    creation.create({
      name: name.trim(),
      platform_id: platforms[platform],
      ...(start === 'answers' && { type: 1 as const }),
      ...(start === 'file' && flow.source !== null && { source: flow.source }),
      ...(start === 'template' && template && { template: template.slug }),
    })
  }
  const choose = async (file: File) => {
    creation.reset()
    if (!name.trim()) setName(nameFromFile(file.name).slice(0, NAME_CAP))
    await flow.choose(file)
  }
  useNamedTemplate(search.get('template'), (named) => chooseTemplate(named))
  const chooseTemplate = (chosen: ListedTemplate | null) => {
    creation.reset()
    // a name that equals the previous template's title is replaced
    if (chosen && (!name.trim() || name === template?.title)) setName(chosen.title)
    if (!chosen && name === template?.title) setName('')
    setTemplate(chosen)
  }
  return (
    <div className={styles.page} data-wide={start === 'template' || undefined}>
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
            <PlatformChoices value={platform} onChange={setPlatform} />
            <Choices label={t('create.start')} value={start} onChange={setStart}>
              <Choice
                value="scratch"
                icon={<Workflow />}
                title={t('create.scratch')}
                description={t('create.scratchDescription')}
              />
              <Choice
                value="template"
                icon={<LayoutTemplate />}
                title={t('create.template')}
                description={t('create.templateDescription')}
              />
              <Choice
                value="answers"
                icon={<MessageCircleQuestionMark />}
                title={t('create.answers')}
                description={t('create.answersDescription')}
              />
              {mayImport && (
                <Choice
                  value="file"
                  icon={<FileUp />}
                  title={t('create.file')}
                  description={t('create.fileDescription')}
                />
              )}
            </Choices>
            {start === 'template' && <TemplateGallery chosen={template} onChoose={chooseTemplate} />}
            {start === 'file' && (
              <FileDrop
                file={flow.file}
                error={flow.problem ?? creation.error}
                label={t('create.drop')}
                hint={t('create.dropHint', {
                  size: formatBytes(flowCaps.bytes),
                })}
                accept={{ 'application/json': ['.json'], 'application/yaml': ['.yml', '.yaml'] }}
                onFile={choose}
              />
            )}
            {start !== 'file' && creation.error && (
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

/** Selects the address's template when the list is loaded. */
function useNamedTemplate(slug: string | null, choose: (template: ListedTemplate) => void) {
  const { data: templates } = useQuery({ ...templatesQuery(), enabled: slug !== null })
  const named = templates?.find((template) => template.slug === slug)
  const chosen = useRef(false)
  useEffect(() => {
    if (!named || chosen.current) return
    chosen.current = true
    choose(named)
  })
}

/** The chosen file, its text when loaded, and its error. */
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

/**
 * Creates the chatbot, from a file's text if given, and opens its builder: at once, or after the import report. One of
 * version 1 has none, and wants sources first.
 */
function useCreation(pgid: string) {
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { create } = useChatbotChanges(pgid)
  const openBuilder = (cgid: string, state?: { imported: true }) =>
    void navigate(`/projects/${pgid}/chatbots/${cgid}/builder`, { state })
  const fields = create.error instanceof ApiFailure ? create.error.fields : {}
  return {
    create: (chatbot: NewChatbot) =>
      create.mutate(chatbot, {
        onSuccess: ({ chatbot, imported }) => {
          if (chatbot.version === 1) void navigate(`/projects/${pgid}/chatbots/${chatbot.gid}/data-sources`)
          else if (!imported) openBuilder(chatbot.gid)
        },
      }),
    reset: create.reset,
    // the builder arranges overlapping groups
    open: () => create.data && openBuilder(create.data.chatbot.gid, { imported: true }),
    busy: create.isPending,
    report: create.data?.imported ?? null,
    nameError: fields.name,
    error: create.error && !fields.name ? fieldOr(create.error, 'source', common('errors.message')) : undefined,
  }
}
