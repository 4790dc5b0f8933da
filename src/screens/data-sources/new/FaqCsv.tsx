import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sourceCaps } from '../../../../server/contracts/sources'
import { failureText } from '../../../api/failure'
import { type ChatbotPlace, useAddSources } from '../../../api/sources'
import { formatBytes } from '../../../i18n/format'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { downloadText } from '../../../ui/downloadText'
import { FileDrop } from '../../../ui/FileDrop'
import { LoadingState } from '../../../ui/LoadingState'
import { notify } from '../../../ui/notify'
import styles from './new-source.module.css'

interface FaqCsvProps {
  place: ChatbotPlace
  onChosen: (chosen: boolean) => void
  onDone: () => void
}

const accept = { 'text/csv': ['.csv'] }
/** The most invalid lines shown: in a file of another type all are invalid. */
const SHOWN = 100

/** Entries from a CSV file: previewed before any is added. */
export function FaqCsv({ place, onChosen, onDone }: FaqCsvProps) {
  const { t } = useTranslation('newSource')
  const { t: common } = useTranslation()
  const [file, setFile] = useState<File | null>(null)
  const [csv, setCsv] = useState('')
  const [refused, setRefused] = useState<string | null>(null)
  const { csv: check } = useAddSources(place)
  const { csv: add } = useAddSources(place)
  const choose = async (chosen: File) => {
    setFile(chosen)
    check.reset()
    add.reset()
    const problem = await problemOf(chosen)
    setRefused(problem)
    onChosen(problem === null)
    if (problem !== null) return
    try {
      const text = decode(await chosen.arrayBuffer())
      setCsv(text)
      check.mutate({ csv: text, check: true })
    } catch {
      // moved or changed since it was chosen
      setRefused(t('csv.unreadable'))
    }
  }
  const problemOf = async ({ name, size }: File): Promise<string | null> => {
    if (!/\.(csv|tsv|txt)$/i.test(name)) return t('csv.wrongType', { name })
    if (size > sourceCaps.csv)
      return t('csv.tooLarge', { name, size: formatBytes(size), max: formatBytes(sourceCaps.csv) })
    return null
  }
  const error = refused ?? (check.error ? failureText(check.error, common('errors.message')) : undefined)
  return (
    <Card
      footer={
        <>
          <Button
            design="ghost"
            icon={<Download />}
            onClick={() => downloadText(EXAMPLE, t('csv.templateName'), 'text/csv')}
          >
            {t('csv.template')}
          </Button>
          {check.data && check.data.added > 0 && (
            <Button
              design="primary"
              loading={add.isPending}
              onClick={() =>
                add.mutate(
                  { csv, check: false },
                  {
                    onSuccess: ({ added }) => {
                      notify.success(t('faq.added', { count: added }))
                      onDone()
                    },
                  },
                )
              }
            >
              {t('csv.import', { count: check.data.added })}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.fields}>
        <FileDrop
          file={file}
          error={error}
          label={t('csv.label')}
          hint={t('csv.hint', { size: formatBytes(sourceCaps.csv) })}
          accept={accept}
          onFile={(chosen) => void choose(chosen)}
        />
        {check.isPending && <LoadingState rows={2} height={36} />}
        {check.data && <Report report={check.data} />}
        {add.error && (
          <p role="alert" className={styles.alert}>
            {failureText(add.error, common('errors.message'))}
          </p>
        )}
      </div>
    </Card>
  )
}

function Report({
  report: { added, wrong, sample },
}: {
  report: NonNullable<ReturnType<typeof useAddSources>['csv']['data']>
}) {
  const { t } = useTranslation('newSource')
  return (
    <div className={styles.report} role="status">
      <p className={styles.strong}>{added > 0 ? t('csv.good', { count: added }) : t('csv.noGood')}</p>
      {wrong.length > 0 && (
        <section>
          <h3 className={styles.wrongTitle}>{t('csv.wrong', { count: wrong.length })}</h3>
          <p className={styles.muted}>{t('csv.wrongHint')}</p>
          <ul className={styles.wrong}>
            {wrong.slice(0, SHOWN).map(({ line, message }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line may have several things wrong
              <li key={at}>
                <strong>{t('csv.line', { line })}</strong> {message}
              </li>
            ))}
            {wrong.length > SHOWN && <li>{t('csv.moreWrong', { count: wrong.length - SHOWN })}</li>}
          </ul>
        </section>
      )}
      {sample.length > 0 && (
        <section>
          <h3>{t('csv.sample')}</h3>
          <dl className={styles.sample}>
            {sample.slice(0, 3).map(({ question, answer }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same
              <div key={at}>
                <dt>{question}</dt>
                <dd>{answer}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  )
}

/** UTF-8, or the default encoding of spreadsheets on Windows. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const EXAMPLE = `question,answer,phrasings
"How long does delivery take?","Two to four working days.","When will it arrive?|How fast do you ship?"
"Can I send it back?","Yes, within 30 days.",
`
