import { ChevronRight, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Golden } from '../../../server/contracts/golden'
import { AnswerText } from '../../answers/AnswerText'
import { useCan } from '../../api/account'
import { formatNumber } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Card } from '../../ui/Card'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuEntry } from '../../ui/Menu'
import { Segmented } from '../../ui/Segmented'
import { changeOf } from './changeOf'
import styles from './golden.module.css'
import type { Opened } from './opened'

const filters = ['all', 'failed', 'changed'] as const
type Filter = (typeof filters)[number]
const shows: Record<Filter, (golden: Golden) => boolean> = {
  all: () => true,
  failed: ({ result }) => result?.passed === false,
  changed: (golden) => changeOf(golden) !== null,
}

/** The questions with their last results and answers. */
export function GoldenTable({ questions, onOpen }: { questions: readonly Golden[]; onOpen: (opened: Opened) => void }) {
  const { t } = useTranslation('golden')
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
              {shown.map((golden) => (
                <Row
                  key={golden.gid}
                  golden={golden}
                  open={open === golden.gid}
                  onToggle={() => setOpen(open === golden.gid ? null : golden.gid)}
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
  golden: Golden
  open: boolean
  onToggle: () => void
  onOpen: (opened: Opened) => void
}

function Row({ golden, open, onToggle, onOpen }: RowProps) {
  const { t } = useTranslation('golden')
  const mayChange = useCan('instructions.update')
  const detail = useId()
  const { question, result } = golden
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
            <Outcome golden={golden} />
          </span>
        </th>
        <td className={styles.expected}>
          <Expected golden={golden} />
        </td>
        <td className={styles.result}>
          <Outcome golden={golden} />
        </td>
        <td className={styles.rank}>{result?.rank ?? <span aria-hidden="true">–</span>}</td>
        <td className={styles.end}>
          {mayChange && (
            <Menu position="bottom-end">
              <Menu.Target>
                <IconButton size="s" label={t('actions', { question })} icon={<Ellipsis />} tooltip={false} />
              </Menu.Target>
              <Menu.Dropdown>
                <MenuEntry leftSection={<Pencil size={15} />} onClick={() => onOpen({ what: 'edit', golden })}>
                  {t('edit.open')}
                </MenuEntry>
                <MenuEntry danger leftSection={<Trash2 size={15} />} onClick={() => onOpen({ what: 'delete', golden })}>
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
            <Detail golden={golden} />
          </td>
        </tr>
      )}
    </>
  )
}

function Outcome({ golden }: { golden: Golden }) {
  const { t } = useTranslation('golden')
  const { result } = golden
  const change = changeOf(golden)
  if (!result) return <Badge>{t('notRun')}</Badge>
  return (
    <span className={styles.outcome}>
      <Badge tone={result.passed ? 'success' : 'danger'}>{result.passed ? t('passed') : t('failed')}</Badge>
      {change && <span className={styles.change}>{t(`change.${change}`)}</span>}
    </span>
  )
}

function Expected({ golden: { words, source_title, unknown } }: { golden: Golden }) {
  const { t } = useTranslation('golden')
  if (unknown) return <i>{t('expect.unknown')}</i>
  const parts = [...words.map((word) => `“${word}”`), ...(source_title === null ? [] : [source_title])]
  return parts.length === 0 ? <i>{t('expect.any')}</i> : <span className={styles.cut}>{parts.join(', ')}</span>
}

function Detail({ golden }: { golden: Golden }) {
  const { t } = useTranslation('golden')
  const { result, before } = golden
  return (
    <div className={styles.detailBody}>
      <p className={styles.onlySmall}>
        {t('expected')}: <Expected golden={golden} />
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
  const { t } = useTranslation('golden')
  return (
    <section aria-label={title} className={styles.answer}>
      <h2>{title}</h2>
      {text.trim() === '' ? <p className={styles.muted}>{t('noAnswer')}</p> : <AnswerText text={text} />}
    </section>
  )
}
