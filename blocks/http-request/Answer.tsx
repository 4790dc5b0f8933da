import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { HttpAnswer } from '../../engine/effects/http'
import type { Json } from '../../engine/values/json'
import { jsonPathOf } from '../../engine/values/jsonPath'
import { FloatingPanel } from '../../src/text/FloatingPanel'
import { useFlowScope } from '../../src/text/flowScope'
import { Details } from '../../src/text/form/Details'
import { JsonTree, Value } from '../../src/text/json/JsonTree'
import { nameInPath } from '../../src/text/json/nameInPath'
import { VariablePicker } from '../../src/text/VariablePicker'
import type { HttpMapping } from './schema'
import styles from './test.module.css'

/** Saves a part of the response in a variable. */
export type Pick = (from: HttpMapping['from'], path: string, variableId: string) => void

/** The response: status, time, error, headers, body. Clicking a value asks for a variable to save it in. */
export function Answer({ answer, onPick }: { answer: HttpAnswer; onPick: Pick | null }) {
  const { t } = useTranslation('blocks')
  const [picking, setPicking] = useState<{ from: HttpMapping['from']; path: string; button: HTMLElement } | null>(null)
  const [saved, setSaved] = useState<string | null>(null)
  const { status, ok, ms, error, code, note, headers, body } = answer
  const { networks } = useFlowScope().screens
  const ask = (from: HttpMapping['from'], path: string) =>
    onPick && ((button: HTMLElement) => setPicking({ from, path, button }))
  const close = () => {
    picking?.button.focus()
    setPicking(null)
  }
  return (
    <div className={styles.answer}>
      <div className={styles.outcome} role="status">
        <span className={styles.status} data-ok={ok || undefined}>
          {status ?? t('http-request.test.noAnswer')}
        </span>
        <span className={styles.help}>{t('http-request.test.ms', { count: ms })}</span>
        <span className={styles.saved}>{saved && t('http-request.test.saved', { path: saved })}</span>
      </div>
      {error && (
        <p className={styles.problem} role="alert">
          {error}
          {code === 'private_address' && networks && (
            <>
              {' '}
              <a href={networks} target="_blank" rel="noreferrer">
                {t('http-request.test.networks')}
              </a>
            </>
          )}
        </p>
      )}
      {note && <p className={styles.help}>{note}</p>}
      {status !== null && (
        <>
          <Details name="answerHeaders" open={false}>
            <ul className={styles.headers} aria-label={t('http-request.test.headers')}>
              {Object.entries(headers).map(([name, value]) => (
                <li key={name}>
                  <Value value={value} name={name} path={name} onPick={ask('header', name)} />
                </li>
              ))}
            </ul>
          </Details>
          <BodyView body={body} onPick={onPick && ((path, button) => ask('body', path)?.(button))} />
        </>
      )}
      {picking && onPick && (
        <FloatingPanel at={picking.button.getBoundingClientRect()} onLeave={() => setPicking(null)}>
          <VariablePicker
            wish={nameInPath(picking.path)}
            onCancel={close}
            onPick={(variableId) => {
              onPick(picking.from, picking.path, variableId)
              setSaved(picking.path)
              close()
            }}
          />
        </FloatingPanel>
      )}
    </div>
  )
}

function BodyView({ body, onPick }: { body: Json; onPick: ((path: string, button: HTMLElement) => void) | null }) {
  const { t } = useTranslation('blocks')
  if (body === null) return <p className={styles.help}>{t('http-request.test.noBody')}</p>
  return (
    <>
      {onPick && <p className={styles.help}>{t('http-request.test.pick')}</p>}
      <JsonTree
        label={t('http-request.test.body')}
        value={body}
        onPick={onPick && ((steps, button) => onPick(jsonPathOf(steps), button))}
      />
    </>
  )
}
