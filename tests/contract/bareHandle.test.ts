import { expect, test } from 'vitest'

const sources = import.meta.glob<string>(['../../server/modules/**/*.ts', '!../../server/**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/**
 * Files of routes that use the handle which sees all projects (`context.db`), and why. The routes of a project work with the caller's
 * (`caller.db`), which sees that project alone.
 */
const named: Readonly<Record<string, string>> = {
  'accounts/auth/registrationRoutes.ts': 'nobody is logged in yet',
  'accounts/auth/routes.ts': 'nobody is logged in yet',
  'accounts/invitations/routes.ts': 'the link names the project, and who opens it is no member yet',
  'accounts/members/routes.ts': 'people and their seats: rows of accounts too',
  'accounts/password-reset/routes.ts': 'nobody is logged in yet',
  'accounts/profile/routes.ts': 'a person’s own rows, in all projects',
  'chatbots/routes.ts': 'deleting one takes it out of the settings of people',
  'conversations/conversations/routes.ts': 'not converted yet',
  'conversations/files/routes.ts': 'a file is for who knows its id',
  'projects/account/routes.ts': 'a person’s own rows, in all projects',
  'projects/routes.ts': 'makes, copies and deletes projects',
}

const usesBareHandle = (source: string) =>
  /\bcontext\.db\b/.test(source) || /\{[^{}]*\bdb\b[^{}]*\}\s*=\s*context\b/.test(source)

test('routes use the handle that sees all projects in named places alone', () => {
  const found = Object.entries(sources)
    .filter(([, source]) => source.includes('registerRoute(') && usesBareHandle(source))
    .map(([path]) => path.replace('../../server/modules/', ''))
  expect(found.sort()).toEqual(Object.keys(named).sort())
})
