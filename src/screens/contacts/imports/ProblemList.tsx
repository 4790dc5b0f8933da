import { useTranslation } from 'react-i18next'
import type { ImportProblem } from '../../../../server/contracts/contactImports'
import styles from './imports.module.css'

/** Lines that are refused: where, what stands there, and what to write instead. */
export function ProblemList({ title, problems }: { title: string; problems: readonly ImportProblem[] }) {
  const { t } = useTranslation('contacts')
  if (problems.length === 0) return null
  return (
    <section className={styles.problems}>
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard */}
      <ul tabIndex={0} aria-label={title}>
        {problems.map(({ line, column, value, message }) => (
          <li key={line}>
            <strong>{t('import.line', { line })}</strong>
            <span>
              {(column !== null || value !== null) && (
                <>
                  {column !== null && `${column}: `}
                  <q>{value}</q>
                  {' — '}
                </>
              )}
              {message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
