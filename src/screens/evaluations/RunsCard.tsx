import { ArrowDownRight, ArrowUpRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { EvaluationList, EvaluationRun } from '../../../server/contracts/evaluations'
import { formatMoment, formatNumber, formatShare } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { changeOf } from './changeOf'
import styles from './evaluations.module.css'

/** The last run's result, its changes, and earlier runs. */
export function RunsCard({ list: { questions, runs } }: { list: EvaluationList }) {
  const { t } = useTranslation('evaluations')
  const [latest] = runs
  if (!latest) {
    return (
      <Card>
        <p className={styles.never}>{t('never', { count: questions.length })}</p>
      </Card>
    )
  }
  const better = questions.filter((each) => changeOf(each) === 'better').length
  const worse = questions.filter((each) => changeOf(each) === 'worse').length
  const before = runs.find(({ gid, running }) => gid !== latest.gid && !running)
  return (
    <Card>
      <div className={styles.runs}>
        <div className={styles.score}>
          <p className={styles.share}>{formatShare(latest.passed, latest.running ? latest.done : latest.total)}</p>
          <p className={styles.of}>
            {latest.running
              ? t('soFar', { done: formatNumber(latest.done), total: formatNumber(latest.total) })
              : t('score', { passed: formatNumber(latest.passed), total: formatNumber(latest.total) })}
          </p>
        </div>
        <div className={styles.facts}>
          {latest.running ? (
            <div
              className={styles.progress}
              role="progressbar"
              aria-label={t('progress')}
              aria-valuemin={0}
              aria-valuemax={latest.total}
              aria-valuenow={latest.done}
            >
              <span style={{ inlineSize: `${(latest.done / Math.max(1, latest.total)) * 100}%` }} />
            </div>
          ) : (
            <p className={styles.changes}>
              {before && better + worse === 0 && partOf(before) === partOf(latest) && <span>{t('noChange')}</span>}
              {better > 0 && (
                <span data-tone="success">
                  <ArrowUpRight size={14} /> {t('better', { count: better })}
                </span>
              )}
              {worse > 0 && (
                <span data-tone="danger">
                  <ArrowDownRight size={14} /> {t('worse', { count: worse })}
                </span>
              )}
            </p>
          )}
          <p className={styles.about}>
            {[
              latest.model,
              formatMoment(latest.at),
              latest.after_training && t('afterATraining'),
              before && t('beforeWas', { share: shareOf(before) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        {runs.length > 1 && <Bars runs={runs} />}
      </div>
    </Card>
  )
}

/** A bar per run, newest last. */
function Bars({ runs }: { runs: readonly EvaluationRun[] }) {
  const { t } = useTranslation('evaluations')
  return (
    <ol className={styles.bars} aria-label={t('runs')}>
      {runs.toReversed().map((run) => {
        const label = t(run.after_training ? 'runLabelTraining' : 'runLabel', {
          share: shareOf(run),
          at: formatMoment(run.at),
        })
        return (
          <li key={run.gid} title={label}>
            <span className={styles.hidden}>{label}</span>
            <span className={styles.bar} style={{ blockSize: `${Math.max(4, partOf(run) * 100)}%` }} />
          </li>
        )
      })}
    </ol>
  )
}

const partOf = ({ passed, done, total, running }: EvaluationRun) => passed / Math.max(1, running ? done : total)
const shareOf = (run: EvaluationRun) => formatShare(partOf(run), 1)
