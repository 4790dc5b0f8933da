import { ChevronRight, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EvaluationQuestion } from '../../../server/contracts/evaluations'
import { AnswerText } from '../../answers/AnswerText'
import { useCan } from '../../api/account'
import { formatNumber } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Card } from '../../ui/Card'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { Segmented } from '../../ui/Segmented'
import { changeOf } from './changeOf'
import styles from './evaluations.module.css'
import type { Opened } from './opened'

const filters = ['all', 'failed', 'changed'] as const
type Filter = (typeof filters)[number]
const shows: Record<Filter, (evaluation: EvaluationQuestion) => boolean> = {
  all: () => true,
  failed: ({ result }) => result?.passed === false,
  changed: (evaluation) => changeOf(evaluation) !== null,
}

/** The questions with their last results and answers. */
export function EvaluationsTable({
  questions,
  onOpen,
}: {
  questions: readonly EvaluationQuestion[]
  onOpen: (opened: Opened) => void
}) {
  const { t } = useTranslation('evaluations')
  const [filter, setFilter] = useState<Filter>('all')
  const [open, setOpen] = useState<string | null>(null)
  const shown = questions.filter(shows[filter])
  return (
    <>
      <Segmented
        className={styles.filters}
        label={t('filter.label')}
        value={filter}
        options={filters.map((each) => ({
          value: each,
          label: (
            <>
              {t(`filter.${each}`)} <span>{formatNumber(questions.filter(shows[each]).length)}</span>
            </>
          ),
        }))}
        onChange={setFilter}
      />
      <Card flush>
        {shown.length === 0 ? (
          <p className={styles.none}>{t(`filter.none.${filter}`)}</p>
        ) : (
          <table className={styles.table} aria-label={t('title')}>
            <thead>
              <tr>
                <th scope="col">{t('question')}</th>
                <th scope="col" className={styles.expected}>
                  {t('expected')}
                </th>
                <th scope="col" className={styles.result}>
                  {t('result')}
                </th>
                <th scope="col" className={styles.rank}>
                  {t('rank')}
                </th>
                <td className={styles.end} />
              </tr>
            </thead>
            <tbody>
              {shown.map((evaluation) => (
                <Row
                  key={evaluation.gid}
                  evaluation={evaluation}
                  open={open === evaluation.gid}
                  onToggle={() => setOpen(open === evaluation.gid ? null : evaluation.gid)}
                  onOpen={onOpen}
                />
              ))}
            </tbody>
          </table>
        )}
      </Card>
    </>
  )
}

interface RowProps {
  evaluation: EvaluationQuestion
  open: boolean
  onToggle: () => void
  onOpen: (opened: Opened) => void
}

function Row({ evaluation, open, onToggle, onOpen }: RowProps) {
  const { t } = useTranslation('evaluations')
  const mayChange = useCan('instructions.update')
  const detail = useId()
  const { question, result } = evaluation
  return (
    <>
      <tr>
        <th scope="row">
          <button
            type="button"
            className={styles.question}
            aria-expanded={open}
            aria-controls={open ? detail : undefined}
            onClick={onToggle}
          >
            <ChevronRight size={14} className={styles.chevron} />
            <span>{question}</span>
          </button>
          <span className={styles.onlySmall}>
            <Outcome evaluation={evaluation} />
          </span>
        </th>
        <td className={styles.expected}>
          <Expected evaluation={evaluation} />
        </td>
        <td className={styles.result}>
          <Outcome evaluation={evaluation} />
        </td>
        <td className={styles.rank}>{result?.rank ?? <span aria-hidden="true">–</span>}</td>
        <td className={styles.end}>
          {mayChange && (
            <Menu position="bottom-end">
              <Menu.Target>
                <IconButton size="s" label={t('actions', { question })} icon={<Ellipsis />} tooltip={false} />
              </Menu.Target>
              <Menu.Dropdown>
                <MenuEntry leftSection={<Pencil size={15} />} onClick={() => onOpen({ what: 'edit', evaluation })}>
                  {t('edit.open')}
                </MenuEntry>
                <MenuEntry
                  danger
                  leftSection={<Trash2 size={15} />}
                  onClick={() => onOpen({ what: 'delete', evaluation })}
                >
                  {t('delete.open')}
                </MenuEntry>
              </Menu.Dropdown>
            </Menu>
          )}
        </td>
      </tr>
      {open && (
        <tr id={detail} className={styles.detail}>
          <td colSpan={5}>
            <Detail evaluation={evaluation} />
          </td>
        </tr>
      )}
    </>
  )
}

function Outcome({ evaluation }: { evaluation: EvaluationQuestion }) {
  const { t } = useTranslation('evaluations')
  const { result } = evaluation
  const change = changeOf(evaluation)
  if (!result) return <Badge>{t('notRun')}</Badge>
  return (
    <span className={styles.outcome}>
      <Badge tone={result.passed ? 'success' : 'danger'}>{result.passed ? t('passed') : t('failed')}</Badge>
      {change && <span className={styles.change}>{t(`change.${change}`)}</span>}
    </span>
  )
}

function Expected({ evaluation: { words, source_title, unknown } }: { evaluation: EvaluationQuestion }) {
  const { t } = useTranslation('evaluations')
  if (unknown) return <i>{t('expect.unknown')}</i>
  const parts = [...words.map((word) => `“${word}”`), ...(source_title === null ? [] : [source_title])]
  return parts.length === 0 ? <i>{t('expect.any')}</i> : <span className={styles.cut}>{parts.join(', ')}</span>
}

function Detail({ evaluation }: { evaluation: EvaluationQuestion }) {
  const { t } = useTranslation('evaluations')
  const { result, before } = evaluation
  return (
    <div className={styles.detailBody}>
      <p className={styles.onlySmall}>
        {t('expected')}: <Expected evaluation={evaluation} />
      </p>
      {!result && <p className={styles.muted}>{t('notRunYet')}</p>}
      {result?.problem && <p className={styles.problem}>{result.problem}</p>}
      <div className={styles.answers}>
        {result && <Answer title={t('answer')} text={result.answer} />}
        {before && before.answer !== result?.answer && <Answer title={t('answerBefore')} text={before.answer} />}
      </div>
      {before && before.answer === result?.answer && <p className={styles.muted}>{t('answerSame')}</p>}
    </div>
  )
}

function Answer({ title, text }: { title: string; text: string }) {
  const { t } = useTranslation('evaluations')
  return (
    <section aria-label={title} className={styles.answer}>
      <h2>{title}</h2>
      {text.trim() === '' ? <p className={styles.muted}>{t('noAnswer')}</p> : <AnswerText text={text} />}
    </section>
  )
}
