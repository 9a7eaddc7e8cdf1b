/** Messages about an owner that two rules share: the author of the reference decides which rule reports it. */
export const ownedMessages = {
  misplaced:
    '{owners} is of a kind that lives in namespaces; once that kind is made anew without them, the garbage collector deletes {name} and {stored} with it{hint}',
  keeps: 'from now on the deletion of {owners} deletes {name} and {stored} with it{hint}',
} as const;
