/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import type { PageTexts } from '../pageTexts'
import type { ChatTexts } from '../texts'
import { ChatFailure } from '../transport'
import type { Look } from '../types'
import css from './chat.module.css'
import form from './form.module.css'
import { Avatar } from './Header'
import { useLookStyle } from './lookContext'
import page from './page.module.css'

export interface LockedProps {
  name: string
  look: Look
  lock: 'password' | 'members'
  texts: ChatTexts
  said: PageTexts
  /** rejects with a ChatFailure: `wrong` where the password is */
  onPassword: (password: string) => Promise<void>
  /** where members log in */
  loginUrl: string
  /** the account that is logged in is no member */
  isStranger: boolean
}

/** A shared page that is not for everybody: its door. */
export function Locked(props: LockedProps) {
  const { name, look, lock, texts, said, loginUrl, isStranger } = props
  return (
    <main class={`${css.chat} ${css.notice} ${page.alone}`} style={useLookStyle(look)}>
      <Avatar name={name} image={look.brand.avatar} class={page.mark} />
      <h1>{name}</h1>
      {lock === 'password' ? (
        <Password {...props} />
      ) : (
        <>
          <p>{said.membersOnly}</p>
          {isStranger && (
            <p class={page.stranger} role="alert">
              {said.noMember}
            </p>
          )}
          <a class={`${css.primary} ${page.link}`} href={loginUrl}>
            {isStranger ? texts.tryAgain : said.logIn}
          </a>
        </>
      )}
    </main>
  )
}

function Password({ texts, said, onPassword }: LockedProps) {
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  async function submit(): Promise<void> {
    if (busy || password === '') return
    setBusy(true)
    try {
      await onPassword(password)
    } catch (failure) {
      const { code, said: words } = failure instanceof ChatFailure ? failure : { code: null, said: null }
      setProblem(code === 'wrong_password' ? said.wrongPassword : (words ?? texts.failedText))
      setBusy(false)
    }
  }
  return (
    <form
      class={page.door}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p>{said.passwordAsked}</p>
      <div class={form.field}>
        <label for="page-password" class={css.hidden}>
          {said.password}
        </label>
        <input
          id="page-password"
          class={css.field}
          type="password"
          autoComplete="current-password"
          placeholder={said.password}
          maxLength={32}
          value={password}
          // biome-ignore lint/a11y/noAutofocus: the page has nothing else
          autoFocus
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'page-password-problem' : undefined}
          onInput={(event) => {
            setPassword(event.currentTarget.value)
            setProblem(null)
          }}
        />
        {problem && (
          <p id="page-password-problem" class={page.stranger} role="alert">
            {problem}
          </p>
        )}
      </div>
      <button type="submit" class={css.primary} disabled={busy || password === ''}>
        {texts.openChat}
      </button>
    </form>
  )
}
