/** What two rules say of an owner: whose it is tells which of them. */
export const ownedMessages = {
  misplaced:
    '{owners} is of a kind that lives in namespaces; once that kind is made anew without them, the garbage collector deletes {name} and {stored} with it{hint}',
  keeps: 'from now on the deletion of {owners} deletes {name} and {stored} with it{hint}',
} as const;
