import { useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { registry } from '../../../blocks/registry'
import { planImport } from '../../../engine/translations/planImport'
import { failureText } from '../../api/failure'
import { translate, translatorQuery } from '../../api/translator'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { type Batch, machineBatches } from './machineBatches'
import styles from './report.module.css'
import type { Edits } from './useEdits'
import type { ListedText } from './useTexts'

interface MachineProps {
  pgid: string
  cgid: string
  texts: readonly ListedText[]
  main: string
  /** the displayed languages */
  languages: readonly string[]
  edits: Edits
}

/** Translates missing and outdated texts by the chatbot's model. */
export function MachineButton(props: MachineProps) {
  const { t } = useTranslation('translations')
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button icon={<Sparkles size={14} />} disabled={props.languages.length === 0} onClick={() => setOpened(true)}>
        {t('machine.button')}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={t('machine.title')} size={480}>
        <MachineDialog {...props} onClose={() => setOpened(false)} />
      </Modal>
    </>
  )
}

type Course =
  | { step: 'asks' }
  | { step: 'runs'; done: number; count: number }
  | { step: 'over'; done: number; left: number; failure: string | null }

function MachineDialog(props: MachineProps & { onClose: () => void }) {
  const { pgid, cgid, texts, main, languages, edits, onClose } = props
  const { t } = useTranslation('translations')
  const { cgid: _, ...params } = useParams()
  const { data: model, isPending } = useQuery(translatorQuery(pgid, cgid))
  const [course, setCourse] = useState<Course>({ step: 'asks' })
  const [batches] = useState(() => machineBatches(texts, languages))
  const count = batches.reduce((sum, batch) => sum + batch.texts.length, 0)
  const stopper = useRef<AbortController>(null)
  // closing the dialog aborts the request
  useEffect(() => () => stopper.current?.abort(), [])

  async function run() {
    const controller = new AbortController()
    stopper.current = controller
    let done = 0
    let left = 0
    let failure: string | null = null
    setCourse({ step: 'runs', done, count })
    try {
      for (const batch of batches) {
        const body = { from: main, to: batch.language, texts: batch.texts.map(({ markup }) => markup) }
        const answer = await translate({ pgid, cgid }, body, controller.signal)
        const written = take(batch, answer.texts, edits)
        done += written
        left += batch.texts.length - written
        setCourse({ step: 'runs', done: done + left, count })
      }
    } catch (error) {
      if (!controller.signal.aborted) failure = failureText(error, t('machine.failed'))
    }
    setCourse({ step: 'over', done, left, failure })
  }

  if (isPending) return <ModalText>…</ModalText>
  if (!model)
    return (
      <>
        <ModalText>{t('machine.none')}</ModalText>
        <ModalActions>
          <Link className={styles.link} to={`/projects/${params.pgid}/chatbots/${cgid}/settings/ai`}>
            {t('machine.connect')}
          </Link>
        </ModalActions>
      </>
    )
  if (course.step === 'runs')
    return (
      <>
        <progress className={styles.progress} max={course.count} value={course.done} aria-label={t('machine.title')} />
        <ModalText>{t('machine.progress', course)}</ModalText>
        <ModalActions>
          <Button onClick={() => stopper.current?.abort()}>{t('machine.cancel')}</Button>
        </ModalActions>
      </>
    )
  if (course.step === 'over')
    return (
      <>
        <p role="status" className={styles.over}>
          {t('machine.done', { count: course.done })}
        </p>
        {course.left > 0 && <ModalText>{t('machine.left', { count: course.left })}</ModalText>}
        {course.failure && (
          <p role="alert" className={styles.failure}>
            {course.failure}
          </p>
        )}
        <ModalActions>
          <Button design="primary" onClick={onClose} data-autofocus>
            {t('import.close')}
          </Button>
        </ModalActions>
      </>
    )
  return (
    <>
      <ModalText>
        {count === 0
          ? t('machine.complete')
          : `${t('machine.what', { model: model.name, count })} ${t('machine.cost', { credits: batches.length * model.credits })}. ${t('machine.review')}`}
      </ModalText>
      <ModalActions>
        <Button onClick={onClose}>{t('import.close')}</Button>
        <Button design="primary" disabled={count === 0} data-autofocus onClick={() => void run()}>
          {t('machine.start')}
        </Button>
      </ModalActions>
    </>
  )
}

/**
 * Stores a model's translations, validated like those of a file. If a text changed meanwhile, its translation is marked
 * as outdated. @returns the number of stored translations
 */
function take({ language, texts }: Batch, answers: readonly (string | null)[], edits: Edits): number {
  const changes = texts.flatMap(({ text, markup }, at) => {
    const answer = answers[at]
    if (answer == null) return []
    const { flow, row, names } = text
    const entry = { flow: flow.fid, id: row.id, language, main: markup, text: answer }
    return planImport([{ flow: flow.fid, rows: [row], names }], registry, [entry], 'model').changes
  })
  edits.apply(changes)
  return changes.length
}
