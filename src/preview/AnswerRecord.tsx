import { useTranslation } from 'react-i18next'
import type { Json } from '../../engine/values/json'
import type { AnswerDebug } from '../../server/contracts/answers'
import css from './inspector.module.css'
import { recordIn } from './recordIn'

/** How an AI answer came about, if a call's result contains the record. */
export function AnswerRecord({ result }: { result: Json }) {
  const debug = recordIn(result)
  return debug && <Record debug={debug} />
}

function Record({ debug }: { debug: AnswerDebug }) {
  const { t } = useTranslation('preview')
  const { model, tokens, credits, searched, zone, passages, note } = debug
  const percent = (share: number) => t('answer.percent', { value: Math.round(share * 100) })
  return (
    <>
      <p>
        {[
          model.name,
          tokens && t('answer.tokens', { input: tokens.input, output: tokens.output }),
          t('answer.credits', { count: credits }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {note && <p>{note}</p>}
      {passages.length > 0 && (
        <>
          <p>{t('answer.searched', { question: searched })}</p>
          <p>{t(`answer.zones.${zone}`)}</p>
          <ol className={css.passages} aria-label={t('answer.passages')}>
            {passages.map(({ source, heading, text, score }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: what was found does not change
              <li key={index}>
                <details>
                  <summary>
                    {source.title} <span className={css.key}>{percent(score)}</span>
                  </summary>
                  {heading !== '' && <p className={css.key}>{heading}</p>}
                  <p>{text}</p>
                </details>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}
