/** What mails to the people of Parley say, by template; other languages say the same. */
export const en = {
  orOpen: 'Or open this link:',
  openProject: 'Open project',
  invitation: {
    title: (inviter: string, project: string) => `${inviter} invited you to ${project}`,
    words: 'You can build chatbots together in Parley. You will join as:',
    hidden: 'The link is only in the email itself. To get one to copy, use “Send again” in Members.',
    accept: 'Accept invitation',
    end: (day: string) =>
      `The link works once and expires on ${day}. If you did not expect this email, you can ignore it.`,
  },
  reset: {
    title: 'Set a new password',
    preview: 'Set a new password for Parley.',
    words: (name: string) => `Hello ${name}, someone asked to reset your password.`,
    end: 'The link works once and expires in an hour. If this wasn’t you, you can ignore this email: your password stays the same.',
  },
  registration: {
    title: 'Create your account',
    preview: 'Create your account for Parley.',
    words: 'Hello, someone asked for a Parley account with this email address.',
    end: 'The link works once and expires in an hour. If this wasn’t you, you can ignore this email: no account is created.',
    known: {
      title: 'You already have an account',
      preview: 'Log in to Parley.',
      words: 'There already is one, so nothing was changed. If you forgot your password, reset it.',
      action: 'Log in',
      end: 'If this wasn’t you, you can ignore this email.',
    },
  },
  passwordChanged: {
    title: 'Your password was changed',
    words: (name: string) => `Hello ${name}, your password was changed, and you were logged out everywhere.`,
    notYou: 'If this wasn’t you, reset it now:',
    action: 'Set a new password',
  },
  emailChange: {
    title: 'Confirm your new email',
    words: (name: string) => `Hello ${name}, open this link to use this address for your account:`,
    action: 'Confirm this email',
    end: 'The link works once, for an hour. If it wasn’t you, you can ignore this mail: nothing is changed.',
    done: {
      title: 'Your email was changed',
      preview: 'The email of your account was changed.',
      words: (name: string, email: string) =>
        `Hello ${name}, your account now belongs to ${email}. Mails go there from now on.`,
      notYou: 'If it wasn’t you, tell the person who runs this installation at once.',
    },
  },
  billing: {
    pay: 'Pay now',
    failed: {
      subject: (project: string) => `${project}: a payment failed`,
      title: 'A payment failed',
      words: (plan: string, project: string, until: string) => [
        `The ${plan} plan of ${project} could not be charged. The card may have expired, or the bank wants you to confirm.`,
        `Nothing changes until ${until}. The payment is tried again meanwhile; after that day the project has the free plan, and nothing is deleted.`,
      ],
    },
    over: {
      subject: (project: string) => `${project}: the plan ended, since a payment is missing`,
      title: 'The plan ended',
      words: (plan: string, project: string) => [
        `The ${plan} plan of ${project} could not be charged for too long. The project has the free plan now. Nothing was deleted.`,
        'Once the open invoice is paid, the plan is back.',
      ],
    },
    trial_ends: {
      subject: (project: string) => `${project}: the trial ends soon`,
      title: 'The trial ends soon',
      words: (plan: string, project: string, until: string) => [
        `The trial of the ${plan} plan of ${project} ends on ${until}. Then the card is charged for the first time. Cancel before, if you don’t want that.`,
      ],
      action: 'See the subscription',
    },
  },
  credits: {
    subject: (project: string, percent: number) =>
      percent >= 100
        ? `${project}: the AI credits of this month are used up`
        : `${project}: ${percent} % of this month's AI credits are used`,
    title: (percent: number) =>
      percent >= 100 ? 'This month’s AI credits are used up' : `${percent} % of this month’s AI credits are used`,
    used: (said: { project: string; used: string; max: string; plan: string; renewed: string }) =>
      `${said.project} has used ${said.used} of ${said.max} credits of its ${said.plan} plan this month. They renew on ${said.renewed}.`,
    over: 'Until then, answers that cost credits are paused, and visitors are told. The rest of your flows keeps working. The built-in model is free.',
    soon: 'When they run out, answers that cost credits are paused until then. The built-in model is free.',
  },
  overLimit: {
    subject: (project: string) => `${project}: some of it can only be read now`,
    title: 'Some of it can only be read now',
    words: (project: string, plan: string) =>
      `${project} has more than its plan allows since it changed: now it has ${plan}. Nothing was deleted, and all is back with a larger plan.`,
    chatbots: (max: string) =>
      `Chatbots (the plan has ${max}): these can be read, not changed; their visitors are still answered.`,
    seats: (max: string) => `Members (the plan has ${max} seats): these can read, and change nothing.`,
    custom_domains: (max: string) =>
      `Custom domains (the plan has ${max}): these are not served; their chatbots are reached at their other address.`,
    more: (count: string) => `and ${count} more`,
    action: 'Choose what stays',
  },
  notifications: {
    where: (chatbot: string) => ` in ${chatbot}`,
    more: (count: string) => `And ${count} more.`,
    several: (count: number, project: string) => `${count} things happened in ${project}`,
    many: (count: number) => `${count} notifications`,
    choose: 'You choose what you are told in your',
    settings: 'notification settings',
    visitor: 'A visitor',
    waiting: (who: string) => `${who} is still waiting for an answer`,
    handed_over: (who: string) => `${who} asked for a person`,
    assigned: (by: string | null) =>
      by === null ? 'A conversation was assigned to you' : `${by} assigned a conversation to you`,
    mentioned: (by: string | null) => `${by ?? 'Somebody'} mentioned you in a note`,
    new_conversation: (who: string) => `${who} began a conversation`,
    new_contact: (who: string | null) => (who === null ? 'There is a new contact' : `${who} is a new contact`),
  },
}
