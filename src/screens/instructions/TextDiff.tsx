import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { textDiff } from './textDiff'
import styles from './textDiff.module.css'

const signs = { same: '', added: '+', removed: '−', changed: '~' } as const

/** A comparison of two texts, with changes marked inline. */
export function TextDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const { t } = useTranslation('instructions')
  const lines = useMemo(() => textDiff(before, after), [before, after])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <section className={styles.diff} aria-label={label} tabIndex={0}>
      {before === after ? (
        <p className={styles.equal}>{t('diff.same')}</p>
      ) : (
        lines.map((line, at) =>
          line.change === 'gap' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text, in its order
            <p key={at} className={styles.gap}>
              {t('diff.gap', { count: line.lines })}
            </p>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <p key={at} className={styles.line} data-change={line.change}>
              <span className={styles.sign} aria-hidden="true">
                {signs[line.change]}
              </span>
              <span className={styles.words}>
                {line.parts.map(({ text, change }, part) =>
                  change === 'added' ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <ins key={part}>{text}</ins>
                  ) : change === 'removed' ? (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above
                    <del key={part}>{text}</del>
                  ) : (
                    text
                  ),
                )}
              </span>
            </p>
          ),
        )
      )}
    </section>
  )
}
